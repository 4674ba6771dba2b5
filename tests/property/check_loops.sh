#!/usr/bin/env bash
# `featherline check` of every function that has loops, in loops, on a random robot with every joint type, friction included.
# Usage: check_loops.sh FEATHERLINE WRITE_RANDOM_ROBOT SEED fixed|floating MIMIC_PROBABILITY
set -euo pipefail

joint_dynamics=$(mktemp)
trap 'rm -f "$joint_dynamics"' EXIT
echo "* 0.3 0.5 0.02" > "$joint_dynamics"
functions=minv,aba_derivatives,rnea_second_derivatives,aba_second_derivatives,aba_vector_hessian,minv_vector_derivative
formulations=()
for function in ${functions//,/ }; do formulations+=(--formulation "$function=vector loops"); done
"$2" "$3" 11 "$5" | "$1" check - --base "$4" --joint-dynamics "$joint_dynamics" --states 1 \
  --functions "$functions" "${formulations[@]}"
