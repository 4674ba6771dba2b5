#!/usr/bin/env bash
# `featherline check` of every function that has loops, in loops, on a random robot with friction and springs: with every joint type, or
# for contracted panels with single axes. The same of kernels, of panels, and of what is made of them.
# Usage: check_loops.sh FEATHERLINE WRITE_RANDOM_ROBOT KIND SEED fixed|floating MIMIC_PROBABILITY [JOINTS]
set -euo pipefail

joint_dynamics=$(mktemp)
trap 'rm -f "$joint_dynamics"' EXIT
echo "* 0.3 0.5 0.02 4 0.7" > "$joint_dynamics"
functions=() formulations=()
# force FORMULATION FUNCTION...
force() {
  for function in "${@:2}"; do
    functions+=("$function")
    formulations+=(--formulation "$function=$1")
  done
}
integrator=semi_implicit
robot=()  # what write_random_robot takes besides
contacts=()
of_inverse=(minv aba_derivatives aba_second_derivatives aba_vector_hessian minv_vector_derivative)
case "$3" in
  loops) force "vector loops" "${of_inverse[@]}" rnea_second_derivatives ;;
  kernels) force "dense kernels" "${of_inverse[@]}" ;;
  panels) force "panels" rnea_derivatives rnea_second_derivatives ;;
  panels_of_this_machine)  # eight joints at a time where registers hold so many, and the robot has
    force "panels" rnea_derivatives rnea_second_derivatives
    export CXX="${CXX:-c++} -march=native"
    ;;
  panels_and_kernels) force "panels and dense kernels" aba_derivatives aba_second_derivatives ;;
  constrained_columns)
    force "panels and dense kernels" constrained_dynamics_derivatives
    contacts=(--contacts "$("$2" "$4" "${7:-11}" "$6" | grep -o '<link name="[^"]*"' | cut -d'"' -f2 | tail -2 |
      sed '1s/$/:weld/' | paste -sd,)")
    ;;
  constrained_columns_of_this_machine)  # by blocks where registers have AVX2, of a trunk with limbs: a foot and a hand
    force "panels and dense kernels" constrained_dynamics_derivatives
    robot=(2)
    contacts=(--contacts "$("$2" "$4" "${7:-11}" "$6" 2 | grep -o '<link name="limb_[01][^"]*"' | cut -d'"' -f2 |
      sort -r | awk -F_ '!seen[$2]++' | sed '1s/$/:weld/' | paste -sd,)")
    export CXX="${CXX:-c++} -march=native"
    ;;
  held_columns)  # of a robot whose other joints have no motors
    force "least norm and dense rows" constrained_inverse_dynamics_derivatives
    links=$("$2" "$4" "${7:-11}" "$6" | grep -o '<link name="[^"]*"' | cut -d'"' -f2 | tail -2)
    joint=$("$2" "$4" "${7:-11}" "$6" | grep -o '<joint name="[^"]*"' | cut -d'"' -f2 | tail -1)
    contacts=(--contacts "$(sed '1s/$/:weld/' <<< "$links" | paste -sd,)" --actuated "$joint")
    ;;
  unrolled_and_kernels) force "unrolled and dense kernels" aba_second_derivatives ;;
  rows) force "rows" regressor ;;
  rows_of_this_machine)
    force "rows" regressor
    export CXX="${CXX:-c++} -march=native"
    ;;
  rows_in_lanes)
    force "limb lanes and rows" regressor
    robot=(2)
    ;;
  panels_in_lanes)
    force "panels and dense kernels in limb lanes" aba_derivatives aba_second_derivatives
    robot=(2)
    ;;
  lanes_and_kernels)
    force "limb lanes and dense kernels" minv aba_derivatives aba_vector_hessian
    robot=(2)
    ;;
  limb_columns)
    force "limb lanes column by column" aba_derivatives minv_vector_derivative step_derivatives
    robot=(2)
    ;;
  steps) force "sparse factor and loops" step_derivatives ;;
  stages)  # of Runge and Kutta
    force "sparse factor and loops" step_derivatives
    functions+=(step)
    integrator=rk4
    ;;
  contracted_panels)
    force "panels" rnea_vector_hessian mass_matrix_vector_derivative
    force "panels and dense kernels" aba_vector_hessian minv_vector_derivative
    robot=(0 single_axes)
    ;;
  contracted_panels_in_lanes)
    force "panels and dense kernels in limb lanes" aba_vector_hessian minv_vector_derivative
    robot=(3 single_axes)
    ;;
  *)
    echo "there is no kind $3"
    exit 2
    ;;
esac
if [ "$3" = loops ]; then
  # Values are what is checked here: g++ takes 14 s of processor time with optimisation, and 5 s without. The routines
  # are run optimised by runtime_inertia_loops.
  compiler=$(mktemp)
  trap 'rm -f "$joint_dynamics" "$compiler"' EXIT
  printf '#!/usr/bin/env bash\nexec %s "${@/#-O1/-O0}"\n' "${CXX:-c++}" > "$compiler"
  chmod +x "$compiler"
  export CXX=$compiler
fi
"$2" "$4" "${7:-11}" "$6" "${robot[@]}" | "$1" check - --base "$5" --joint-dynamics "$joint_dynamics" --states 1 \
  $([ $integrator = rk4 ] && echo --integrator rk4) \
  "${contacts[@]}" --functions "$(IFS=,; echo "${functions[*]}")" "${formulations[@]}"
