#!/usr/bin/env bash
# `featherline check` of second derivatives in loops on a random robot with every joint type, friction included.
# Usage: check_loops.sh FEATHERLINE WRITE_RANDOM_ROBOT SEED fixed|floating MIMIC_PROBABILITY
set -euo pipefail

losses=$(mktemp)
trap 'rm -f "$losses"' EXIT
echo "* 0.3 0.5 0.02" > "$losses"
"$2" "$3" 11 "$5" | "$1" check - --base "$4" --joint-dynamics "$losses" --states 1 \
  --functions rnea_second_derivatives,aba_second_derivatives \
  --formulation "rnea_second_derivatives=vector loops" --formulation "aba_second_derivatives=vector loops"
