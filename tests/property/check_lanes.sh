#!/usr/bin/env bash
# `featherline check` of functions in lanes, forced: functions and groups of them, as --functions takes them, as far as they
# have such a formulation; dense:FUNCTION is without its packed form.
# Usage: check_lanes.sh FEATHERLINE COMPILER FUNCTIONS [flags of check...]
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v "$2" >/dev/null; then
  echo "SKIP: there is no $2 here"
  exit 77
fi
# "  rnea: link frames, limb lanes" and "  dynamics: rnea bias ..." of the help
help=$("$1" generate --help)
functions=() formulations=()
for given in ${3//,/ }; do
  word=${given#dense:}
  of_group=$(sed -n "s/^  $word: \([a-z_ ]*\)$/\1/p" <<<"$help")
  for function in ${of_group:-$word}; do
    grep -qE "^  $function: (.*, )?limb lanes(,|$)" <<<"$help" || continue
    functions+=("$function")
    if [ "$word" = "$given" ] && grep -q "^  packed: .*\b${function}_packed\b" <<<"$help"; then
      functions+=("${function}_packed")
    fi
    formulations+=(--formulation "$function=limb lanes")
  done
done
[ "${#functions[@]}" -ge 2 ]
CXX=$2 "$1" check robots/quadruped.urdf --base floating --functions "$(IFS=,; echo "${functions[*]}")" \
  "${formulations[@]}" "${@:4}"
