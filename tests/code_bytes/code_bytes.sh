#!/usr/bin/env bash
# Text and constants of emitted functions, compiled, against the budgets of code_bytes.txt: beyond the instruction cache,
# time follows bytes of code.
# Usage: code_bytes.sh GENERATOR COMPILER     (from the repository's root)
# FEATHERLINE_UPDATE_BYTES=1 writes the budgets anew: what is measured, and 1 %.
set -euo pipefail
generator=$1
cxx=$2
budgets=tests/code_bytes/code_bytes.txt

if ! "$cxx" --version | head -1 | grep -q '^g++.* 12\.' || [ "$("$cxx" -dumpmachine | cut -d- -f1)" != x86_64 ]; then
  echo "skipped: ${FEATHERLINE_TEST:-code_bytes} needs g++ 12 for x86-64, and $cxx is another compiler"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags=(-std=c++17 -O2 -march=x86-64-v3 -ffp-contract=fast -DNDEBUG -I runtime)

urdf_of() {  # robot
  if [ -e "robots/$1.urdf" ]; then echo "robots/$1.urdf"; else echo "../shared/robots/$1.urdf"; fi
}
bytes_of() {  # robot base[@contacts] function
  local contacts=()
  if [[ $2 == *@* ]]; then contacts=(--contacts "${2#*@}"); fi
  "$generator" generate "$(urdf_of "$1")" --base "${2%%@*}" "${contacts[@]}" --functions "$3" --name measured --no-verify --quiet \
    -o "$work/$1_$3"
  "$cxx" "${flags[@]}" -I "$work/$1_$3" -c "$work/$1_$3/measured_$3.cpp" -o "$work/$1_$3.o"
  size "$work/$1_$3.o" | awk 'NR == 2 { print $1 }'
}

status=0
{
  grep '^#' "$budgets"
  echo
  while read -r robot base function budget; do
    if [ ! -e "$(urdf_of "$robot")" ]; then
      echo "$function of $robot is skipped: there is no $(urdf_of "$robot")" >&2
      if [ "${CI:-}" = true ]; then status=1; fi
      echo "$robot $base $function $budget"
      continue
    fi
    bytes=$(bytes_of "$robot" "$base" "$function")
    echo "$robot $base $function $((bytes * 101 / 100))"
    if [ "$bytes" -gt "$budget" ]; then
      echo "$function of $robot has $bytes bytes of code, more than its budget of $budget" >&2
      status=1
    fi
  done < <(grep -v -e '^#' -e '^$' "$budgets")
} > "$work/measured.txt"
if [ -n "${FEATHERLINE_UPDATE_BYTES:-}" ]; then
  cp "$work/measured.txt" "$budgets"
  exit 0
fi
exit $status
