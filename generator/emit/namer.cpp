#include "emit/namer.hpp"

#include <algorithm>
#include <cstdint>

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
    "atoll", "bsearch", "calloc", "cbrt", "ceil", "clock", "clock_t", "copysign", "cos", "cosh", "div",
    "div_t", "drem", "erf", "erfc", "exit", "exp", "exp2", "exp10", "expm1", "fabs", "fdim", "floor",
    "fma", "fmax", "fmin", "fmod", "free", "frexp", "gamma", "getenv", "hypot", "ilogb", "index", "j0",
    "j1", "jn", "labs", "ldexp", "ldiv", "lgamma", "llabs", "lldiv", "llrint", "llround", "log",
    "log10", "log1p", "log2", "logb", "lrint", "lround", "malloc", "mblen", "memchr", "memcmp",
    "memcpy", "memmove", "memset", "modf", "nan", "nearbyint", "nextafter", "nexttoward", "pow",
    "pow10", "printf", "ptrdiff_t", "puts", "qsort", "quick_exit", "raise", "rand", "random", "read",
    "realloc", "remainder", "remove", "remquo", "rename", "rindex", "rint", "round", "scalb", "scalbln",
    "scalbn", "select", "signal", "significand", "sin", "sincos", "sinh", "size_t", "sleep", "sqrt",
    "srand", "strcat", "strcmp", "strcpy", "strlen", "system", "tan", "tanh", "tgamma", "time",
    "time_t", "timer_t", "trunc", "tzset", "wait", "write", "y0", "y1", "yn",
};
// clang-format on

bool is_reserved(std::string_view name) {
  return std::find(std::begin(reserved_names), std::end(reserved_names), name) != std::end(reserved_names);
}

/// Families of macros in <cmath>, <climits>, <cstdlib> and in the libraries emitted code meets.
constexpr std::string_view macro_prefixes[] = {"M_",    "FP_",   "INT_",   "UINT_",        "EXIT_",
                                               "HUGE_", "MATH_", "EIGEN_", "FEATHERLINE_", "XSIMD_"};

bool looks_like_macro(std::string_view name) {
  const auto leads = [name](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; };
  return std::any_of(std::begin(macro_prefixes), std::end(macro_prefixes), leads);
}

bool is_identifier_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// FNV-1a over all bytes, eight hexadecimal digits.
std::string hash(std::string_view text) {
  std::uint32_t value = 2166136261U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 16777619U;
  std::string digits;
  for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(value >> shift) & 15U];
  return digits;
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

}  // namespace

std::string identifier(std::string_view text, std::string_view fallback) {
  std::string name = replace_foreign_characters(text);
  if (name.empty()) return std::string(fallback);
  if (name.front() >= '0' && name.front() <= '9') name = std::string(fallback) + "_" + name;
  if (name.size() > max_length) name = name.substr(0, max_length - 9) + "_" + hash(text);
  if (is_reserved(name) || looks_like_macro(name)) name += "_" + std::string(fallback);
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

}  // namespace featherline::emit
