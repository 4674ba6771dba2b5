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

# compiled SOURCE FOLDER: its object is $work/NAME.o
compiled() { "$cxx" "${flags[@]}" -I "$2" "$1" -o "$work/$(basename "$1").o"; }

# Of a robot all functions in one translation unit, and all batches for one set of instructions: that takes a fifth of the
# time (consumer_batch and others compile each alone). What includes the header stands apart from what it declares.
for folder in generated/*/; do
  name=$(basename "$folder")
  for source in "$folder"*.cpp; do
    case $source in
      *_c.cpp | *_python.cpp) compiled "$source" "$folder" ;;
      *_batch_*_avx2.cpp) echo "#include \"$PWD/$source\"" >>"$work/${name}_batch_avx2.cpp" ;;
      *_batch_*_avx512.cpp) echo "#include \"$PWD/$source\"" >>"$work/${name}_batch_avx512.cpp" ;;
      *_batch_*) echo "#include \"$PWD/$source\"" >>"$work/${name}_batch_baseline.cpp" ;;
      *) echo "#include \"$PWD/$source\"" >>"$work/${name}_functions.cpp" ;;
    esac
  done
  for source in "$work/${name}"_*.cpp; do compiled "$source" "$folder"; done
done

# Each robot's header alone, then all headers a user may include, those of all robots, each twice in one translation unit.
headers=$work/headers.cc includes=()
for folder in generated/*/; do
  name=$(basename "$folder")
  echo "#include \"$name.hpp\"" | "$cxx" "${flags[@]}" -fsyntax-only -I "$folder" -x c++ -
  includes+=(-I "$folder")
  printf '#include "%s"\n' "$name.hpp" "$name.ipp" "${name}_eigen.hpp" "$name.hpp" "$name.ipp"
done >"$headers"
"$cxx" "${flags[@]}" "${includes[@]}" "$headers" -o "$work/headers.o"

foreign=$(nm --undefined-only --demangle $(ls "$work"/*.cpp.o | grep -v _batch_) | sed -n 's/^ *U //p' | sort -u |
  grep -v -E '^(sin|cos|sincos|sqrt|atan)f?$|^(memset|memcpy|memmove)$|^_GLOBAL_OFFSET_TABLE_$|^__stack_chk_fail$' |
  grep -v -E '^(void )?(planar3|double_pendulum|quadruped|arm6|stanford_arm|four_bar)::' || true)
if [ -n "$foreign" ]; then
  echo "emitted code refers to what it must not need:"
  echo "$foreign"
  exit 1
fi
