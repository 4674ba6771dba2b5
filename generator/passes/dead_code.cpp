#include "passes/passes.hpp"
#include "passes/rewrite.hpp"

namespace featherline::passes {

ir::Function remove_dead_code(const ir::Function& function) { return Rewriter(function).run(); }

}  // namespace featherline::passes
