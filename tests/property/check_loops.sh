#!/usr/bin/env bash
# `featherline check` of every function that has loops, in loops, on a random robot with every joint type, friction included.
# The same of dense kernels and of panels.
# Usage: check_loops.sh FEATHERLINE WRITE_RANDOM_ROBOT loops|kernels|panels SEED fixed|floating MIMIC_PROBABILITY
set -euo pipefail

joint_dynamics=$(mktemp)
trap 'rm -f "$joint_dynamics"' EXIT
echo "* 0.3 0.5 0.02" > "$joint_dynamics"
of_inverse=minv,aba_derivatives,aba_second_derivatives,aba_vector_hessian,minv_vector_derivative
case "$3" in
  loops) formulation="vector loops" functions=$of_inverse,rnea_second_derivatives ;;
  kernels) formulation="dense kernels" functions=$of_inverse ;;
  panels) formulation="panels" functions=rnea_derivatives,rnea_second_derivatives ;;
esac
formulations=()
for function in ${functions//,/ }; do formulations+=(--formulation "$function=$formulation"); done
"$2" "$4" 11 "$6" | "$1" check - --base "$5" --joint-dynamics "$joint_dynamics" --states 1 \
  --functions "$functions" "${formulations[@]}"
