#include "emit/identifiers.hpp"

#include "emit/signature.hpp"
#include "emit/text.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_set>

namespace featherline::emit {
namespace {

constexpr std::size_t max_length = 64;

/// Names an identifier must not be: C++17/20 keywords and alternative tokens, namespaces the emitted code
/// lives with, and functions and macros of the C headers that <cmath> and its kin bring into the global
/// scope, where the robot's namespace is declared.
// clang-format off
constexpr std::string_view reserved_names[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case",
    "catch", "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept", "const",
    "consteval", "constexpr", "constinit", "const_cast", "continue", "co_await", "co_return",
    "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "explicit", "export", "extern", "false", "final", "float", "for", "friend", "goto", "if", "import",
    "inline", "int", "long", "module", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
    "nullptr", "operator", "or", "or_eq", "override", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using", "virtual", "void",
    "volatile", "wchar_t", "while", "xor", "xor_eq", "std", "featherline", "Eigen", "xsimd", "main",
    "posix", "detail", "eigen", "Link", "S", "linux", "unix", "i386", "arm64", "near", "far", "small",
    "interface", "assert", "errno", "stdin", "stdout", "stderr", "NULL", "EOF", "INFINITY", "NAN",
    "NDEBUG", "RAND_MAX", "BUFSIZ", "DOMAIN", "SING", "OVERFLOW", "UNDERFLOW", "PLOSS", "TLOSS", "I",
    "signgam", "isnan", "isinf", "isfinite", "isnormal", "signbit", "fpclassify", "offsetof", "abort",
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "atexit", "atof", "atoi", "atol",
    "atoll", "bsearch", "calloc", "cbrt", "ceil", "clock", "clock_t", "copysign", "cos", "cosh", "cosine", "div",
    "div_t", "drem", "erf", "erfc", "exit", "exp", "exp2", "exp10", "expm1", "fabs", "fdim", "floor",
    "fma", "fmax", "fmin", "fmod", "free", "frexp", "gamma", "getenv", "hypot", "ilogb", "index", "j0",
    "j1", "jn", "labs", "ldexp", "ldiv", "lgamma", "llabs", "lldiv", "llrint", "llround", "log",
    "log10", "log1p", "log2", "logb", "lrint", "lround", "malloc", "mblen", "memchr", "memcmp",
    "memcpy", "memmove", "memset", "modf", "nan", "nearbyint", "nextafter", "nexttoward", "pow",
    "pow10", "printf", "ptrdiff_t", "puts", "qsort", "quick_exit", "raise", "rand", "random", "read",
    "realloc", "remainder", "remove", "remquo", "rename", "rindex", "rint", "round", "scalb", "scalbln",
    "scalbn", "select", "signal", "significand", "sin", "sincos", "sine", "sinh", "size_t", "sleep", "sqrt",
    "srand", "strcat", "strcmp", "strcpy", "strlen", "system", "tan", "tanh", "tgamma", "time",
    "time_t", "timer_t", "trunc", "tzset", "wait", "write", "y0", "y1", "yn",
};
// clang-format on

/// Families of macros in <cmath>, <climits>, <cstdlib> and in the libraries emitted code meets.
constexpr std::string_view macro_prefixes[] = {"M_",    "FP_",   "INT_",   "UINT_",        "EXIT_",
                                               "HUGE_", "MATH_", "EIGEN_", "FEATHERLINE_", "XSIMD_"};

bool looks_like_macro(std::string_view name) {
  return std::ranges::any_of(macro_prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_identifier_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// FNV-1a over all bytes, eight hexadecimal digits.
std::string hash(std::string_view text) {
  std::uint32_t value = 2166136261U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:08x}", value);
}

std::string replace_foreign_characters(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (is_identifier_character(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

/// Headers of the C library, POSIX and glibc, which a folder given with -I hides.
// clang-format off
constexpr std::string_view system_headers[] = {
    "aio", "alloca", "argp", "assert", "byteswap", "complex", "cpio", "crypt", "ctype", "dirent", "dlfcn", "elf",
    "endian", "envz", "err", "errno", "error", "execinfo", "fcntl", "features", "fenv", "float", "fmtmsg", "fnmatch",
    "fts", "ftw", "getopt", "glob", "grp", "iconv", "ifaddrs", "inttypes", "iso646", "langinfo", "lastlog", "libgen",
    "libintl", "limits", "link", "locale", "malloc", "math", "mcheck", "memory", "mntent", "monetary", "mqueue",
    "netdb", "nl_types", "obstack", "paths", "poll", "pthread", "pty", "pwd", "regex", "regexp", "resolv", "sched",
    "search", "semaphore", "setjmp", "sgtty", "shadow", "signal", "spawn", "stab", "stdalign", "stdarg", "stdatomic",
    "stdbool", "stdc", "stddef", "stdint", "stdio", "stdlib", "stdnoreturn", "string", "strings", "stropts", "syscall",
    "sysexits", "syslog", "tar", "termio", "termios", "tgmath", "thread_db", "threads", "time", "uchar", "ucontext",
    "ulimit", "unistd", "utime", "utmp", "utmpx", "values", "varargs", "wait", "wchar", "wctype", "wordexp", "xlocale",
};
// clang-format on

}  // namespace

std::string identifier(std::string_view text, std::string_view fallback) {
  std::string name = replace_foreign_characters(text);
  if (name.empty()) return std::string(fallback);
  if (name.front() >= '0' && name.front() <= '9') name = std::string(fallback) + "_" + name;
  if (name.size() > max_length) name = name.substr(0, max_length - 9) + "_" + hash(text);
  static const std::unordered_set<std::string_view> reserved(std::begin(reserved_names),
                                                             std::end(reserved_names));
  if (reserved.contains(name) || looks_like_macro(name)) name += "_" + std::string(fallback);
  const std::size_t doubled = name.find("__");  // shortening may have cut right behind an underscore
  return doubled == std::string::npos ? name : name.erase(doubled, 1);
}

std::string Namer::take(std::string_view wanted) {
  const std::string plain = identifier(wanted, fallback_);
  if (taken_.insert(plain).second) return plain;
  for (int& suffix = next_suffix_.try_emplace(plain, 2).first->second;; ++suffix) {
    std::string candidate = plain + "_" + std::to_string(suffix);
    if (taken_.insert(candidate).second) return candidate;
  }
}

std::string Namer::take_temporary() {
  while (true) {
    std::string candidate = "t" + std::to_string(++temporaries_);
    if (taken_.insert(candidate).second) return candidate;
  }
}

std::string emitted_name(const std::string& requested) { return identifier(requested, "robot"); }

bool hides_system_header(const std::string& name) { return std::ranges::count(system_headers, name) > 0; }

// clang-format off
const std::vector<std::string>& header_constants() {
  static const std::vector<std::string> names{
      "nq", "nv", "num_joints", "joints", "joint_names", "num_links", "link_names", "neutral", "positions", "total_mass",
      "parents", "num_external_forces", "external_forces", "num_parameters", "parameters",
      "parameter_defaults", "num_bodies", "body_names", "inertial_parameters", "num_base_parameters", "num_regressor_columns", "joint_columns",
      "base_columns", "base_parameters", "num_frames", "num_frame_rows", "frames", "frame_axes",
      "num_constraints", "num_constraint_rows", "num_residual_rows", "num_status_entries", "constraints",
      "actuated", "moment_length", "nq_all", "nv_all", "all_joint_names",
  };
  return names;
}
// clang-format on

namespace {

template <class List>
std::vector<std::string> enumerators(const char* fallback, const List& list) {
  Namer namer(fallback);
  // The header's constants: g++ calls an enumerator of the same name shadowing.
  for (const std::string& constant : header_constants()) namer.reserve(constant);
  return each(list, [&](const auto& entry) { return namer.take(entry.name); });
}

}  // namespace

std::vector<std::string> link_enumerators(const model::Tree& tree) { return enumerators("link", tree.links); }

std::vector<std::string> frame_enumerators(const model::Tree& tree) {
  return enumerators("frame", tree.frames.chosen);
}

std::string array_body(const std::vector<std::string>& entries, const std::string& placeholder) {
  if (entries.empty()) return "    " + placeholder + "  // there is none: num_... is 0";
  return "    " + join(entries, ",\n    ") + ",";
}

std::vector<std::string> pose_step_names(const model::CanonicalTree& tree) {
  Namer namer("body");
  namer.reserve("pose");       // a parameter, and
  namer.reserve("pose_step");  // the switch over the steps
  return each(tree.bodies, [&](const model::Body& body) { return namer.take("pose_" + body.name); });
}

std::vector<int> independent_joints(const model::Tree& tree) {
  std::vector<int> bodies;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (tree.bodies[i].joint.mimics < 0) bodies.push_back(static_cast<int>(i));
  }
  return bodies;
}

namespace {

/// What an entry of a joint's velocity is called behind its name; nothing where it is the only one.
std::string direction(const model::JointRow& row, const model::Motion& motion) {
  if (row.has_one_axis()) return "";
  const auto axis = static_cast<std::size_t>(motion.along);
  if (row.moves_on_axes())
    return motion.turns() ? (motion.along == model::Direction::axis2 ? ".turn2" : ".turn") : ".shift";
  const char* letters[] = {"x", "y", "z", "z"};  // a planar joint turns about its normal
  return std::string(motion.turns() ? ".r" : ".") + letters[axis];
}

/// "shoulder, elbow": what the places of an entry along the sides of its array belong to; of a side of 2 nv places
/// "q elbow" or "v elbow". Empty where a side has nothing to do with joints.
std::string entry_name(const std::vector<std::string>& coordinates, const catalog::Shape& shape, int entry) {
  const int nv = static_cast<int>(coordinates.size());
  std::vector<std::string> names;
  for (const catalog::Dimension& side : shape.sides()) {
    if (side.of != catalog::nv.of) return "";
    const int place = entry % (side.factor * nv);
    names.push_back((side.factor == 1 ? "" : place < nv ? "q " : "v ") + coordinates[index(place % nv)]);
    entry /= side.factor * nv;
  }
  return join(names, ", ");
}

/// By output and packed entry: a place in the dense array, the first of several.
std::vector<std::vector<int>> dense_places(const LoweredFunction& function) {
  std::vector<std::vector<int>> places;
  for (std::size_t o = 0; o < function.packed_maps->size(); ++o) {
    places.emplace_back(index(function.kernel.outputs[o].size), -1);
    for (const passes::PackedEntry& entry : (*function.packed_maps)[o]) {
      int& place = places.back()[index(entry.packed_index)];
      if (place < 0 && !entry.negated) place = entry.dense_index;
    }
  }
  return places;
}

/// By entry of v: "elbow", or "base.rx" for one direction of a joint that has several.
std::vector<std::string> coordinate_names(const model::UserTree& tree) {
  std::vector<std::string> names(index(tree.nv));
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics >= 0) continue;  // moves with its driver's coordinate
    std::size_t k = index(body.joint.idx_v);
    const model::JointRow& row = body.joint.row();
    for (const model::Motion& motion : row.motions)
      names[k++] = comment_safe(body.joint.name, longest_in_comment) + direction(row, motion);
  }
  return names;
}

}  // namespace

EntryNames entry_names(const LoweredFunction& function, const model::UserTree& tree) {
  std::vector<catalog::Shape> shapes = each(function.spec->outputs, &catalog::Argument::shape);
  const std::vector<std::string> coordinates = coordinate_names(tree);
  if (!function.packed_maps) {
    return [=](int output, int entry) { return entry_name(coordinates, shapes[index(output)], entry); };
  }
  return [=, places = dense_places(function)](int output, int entry) {
    const auto o = index(output);
    const int place = places[o][index(entry)];
    return place < 0 ? "" : entry_name(coordinates, shapes[o], place);
  };
}

}  // namespace featherline::emit
