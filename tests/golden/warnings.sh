#!/usr/bin/env bash
# Emitted code, its Eigen view and the runtime compile without a warning; no exceptions, no RTTI. The objects refer to
# nothing but libm, the memory functions compilers put in by themselves, and each other. Batches ask the compiler's
# library for the processor, too, and are left out of this.
# Usage: warnings.sh COMPILER
set -euo pipefail
cd "$(dirname "$0")/../.."

cxx=$1
if ! command -v "$cxx" >/dev/null; then
  echo "SKIP: there is no $cxx here"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++17 -O1 -c -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Wdouble-promotion -Werror
       -fno-exceptions -fno-rtti -I runtime -isystem /usr/include/eigen3)

for folder in generated/*/; do
  name=$(basename "$folder")
  # Functions in one translation unit, a fifth of the time. Batches have instructions of a processor each, and the others
  # include the header, which declares the functions extern.
  for source in "$folder"*.cpp; do
    case $source in
      *_batch_* | *_c.cpp | *_python.cpp)
        "$cxx" "${flags[@]}" -I "$folder" "$source" -o "$work/$(basename "$source").o" ;;
      *) echo "#include \"$PWD/$source\"" ;;
    esac
  done >"$work/functions_$name.cpp"
  "$cxx" "${flags[@]}" -I "$folder" "$work/functions_$name.cpp" -o "$work/functions_$name.cpp.o"
  # All headers a user may include, each twice in one translation unit.
  printf '#include "%s"\n' "$name.hpp" "$name.ipp" "${name}_eigen.hpp" "$name.hpp" "$name.ipp" >"$work/$name.cpp"
  "$cxx" "${flags[@]}" -I "$folder" "$work/$name.cpp" -o "$work/headers_$name.o"
done

foreign=$(nm --undefined-only --demangle $(ls "$work"/*.cpp.o | grep -v _batch_) | sed -n 's/^ *U //p' | sort -u |
  grep -v -E '^(sin|cos|sincos|sqrt)f?$|^(memset|memcpy|memmove)$|^_GLOBAL_OFFSET_TABLE_$|^__stack_chk_fail$' |
  grep -v -E '^(void )?(planar3|double_pendulum|quadruped|arm6|stanford_arm|four_bar)::' || true)
if [ -n "$foreign" ]; then
  echo "emitted code refers to what it must not need:"
  echo "$foreign"
  exit 1
fi
