#include "passes/passes.hpp"
#include "passes/rewrite.hpp"

namespace featherline::passes {

expr::Function remove_dead_code(const expr::Function& function) { return Rewriter(function).run(); }

}  // namespace featherline::passes
