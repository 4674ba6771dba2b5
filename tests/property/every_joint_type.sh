#!/usr/bin/env bash
# Every joint type alone, as the first joint and in mid-tree, through the command line: `generate --functions all` with
# batches, the C interface and both scalars for each of these robots, `check` for two robots that hold every type, one as
# the first joint and one in mid-tree. No function may be left out: that would be a warning.
# Usage: every_joint_type.sh FEATHERLINE
set -euo pipefail

featherline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

link() {  # NAME: a body that resists every motion
  echo "<link name='$1'><inertial><origin xyz='0.1 -0.05 0.2'/><mass value='1.5'/>"
  echo "<inertia ixx='0.3' ixy='0.02' ixz='-0.01' iyy='0.4' iyz='0.03' izz='0.5'/></inertial></link>"
}

joint() {  # NAME TYPE PARENT CHILD [DRIVER]
  local type=$2 extension=''
  case $2 in
    spherical | cylindrical) extension="<featherline_joint type='$2'/>" ;;
    helical) extension="<featherline_joint type='helical' pitch='0.1'/>" ;;
    universal) extension="<featherline_joint type='universal' axis2='0 0.8 0.6'/>" ;;
    mimic) extension="<mimic joint='$5' multiplier='-0.7' offset='0.2'/>" ;;
  esac
  if [ -n "$extension" ]; then type=continuous; fi
  echo "<joint name='$1' type='$type'><parent link='$3'/><child link='$4'/>$extension"
  echo "<origin xyz='0.2 0.1 -0.3' rpy='0.4 -0.2 0.7'/><axis xyz='0 0.6 0.8'/>"
  if [ "$type" != continuous ]; then echo "<limit lower='-1' upper='1' velocity='1' effort='1'/>"; fi
  echo "</joint>"
}

robot() {  # NAME, then lines of links and joints on standard input
  { echo "<robot name='$1'><link name='base'/>"; cat; echo "</robot>"; } > "$scratch/$1.urdf"
}

types=(fixed revolute continuous prismatic floating planar spherical cylindrical helical universal mimic)
inputs=()
for type in "${types[@]}"; do
  if [ "$type" != mimic ]; then
    { joint j "$type" base a; link a; } | robot "${type}_alone"
    if [ "$type" != fixed ]; then inputs+=("$scratch/${type}_alone.urdf"); fi
  fi
  # The driver of a mimic follows it in the order of q.
  { joint j "$type" base a z; link a; joint z revolute a b; link b; } | robot "${type}_first"
  { joint j revolute base a; link a; joint k "$type" a b j; link b
    joint l prismatic b c; link c; joint m revolute b d; link d; } | robot "${type}_in_mid_tree"
  inputs+=("$scratch/${type}_first.urdf" "$scratch/${type}_in_mid_tree.urdf")
done

"$featherline" generate "${inputs[@]}" -o "$scratch/out" --functions all --batch --c-api --scalar double,float \
  --quiet --werror
# Nothing moves there, so there is no centre of mass.
"$featherline" generate "$scratch/fixed_alone.urdf" -o "$scratch/out" --batch --c-api --scalar double,float --quiet \
  --werror --functions dynamics,derivatives,second-order,kinematics,frames
for input in "$scratch/fixed_alone.urdf" "${inputs[@]}"; do
  name=$(basename "$input" .urdf)
  for file in "$name.hpp" "${name}_c.cpp"; do
    test -s "$scratch/out/$file" || { echo "$file was not written"; exit 1; }
  done
done
echo "$((${#inputs[@]} + 1)) robots were generated"

# A branch for each type: the first joint and one behind it, and that behind a trunk. Branches hardly cost one another
# anything, while second derivatives of the same joints on one trunk take minutes to compile.
{
  for type in "${types[@]}"; do
    joint "$type" "$type" base "$type" "${type}_leaf"; link "$type"
    joint "${type}_leaf" revolute "$type" "${type}_end"; link "${type}_end"
  done
} | robot all_first
{
  for type in "${types[@]}"; do
    joint "${type}_trunk" revolute base "${type}_trunk"; link "${type}_trunk"
    joint "$type" "$type" "${type}_trunk" "$type" "${type}_trunk"; link "$type"
    joint "${type}_leaf" revolute "$type" "${type}_end"; link "${type}_end"
  done
} | robot all_in_mid_tree
# Values are what is checked here. Compiling for them without optimisation takes 31 s of processor time instead of 43.
cat > "$scratch/compiler" <<COMPILER
#!/usr/bin/env bash
exec ${CXX:-c++} "\${@/#-O1/-O0}"
COMPILER
chmod +x "$scratch/compiler"
export CXX=$scratch/compiler
# Second derivatives in one of them, packed forms in the other, because they take the most time. In both places they are
# run by the interpreter (traced_functions.cpp).
"$featherline" check "$scratch/all_first.urdf" --states 1 --werror \
  --functions dynamics,derivatives,second-order,products,rates,kinematics,frames,whole-body
"$featherline" check "$scratch/all_in_mid_tree.urdf" --states 1 --werror \
  --functions dynamics,derivatives,products,rates,kinematics,frames,whole-body,step,mass_matrix_packed,rnea_derivatives_packed,minv_packed
