#!/usr/bin/env bash
# run.sh FEATHERLINE WORK URDF:BASE:FUNCTIONS:CONTACTS...: generates the functions of each robot, compiles them for the device of this
# machine side by side, compares all values, and measures. FUNCTIONS is the sum of bits that device_robot.cpp explains;
# CONTACTS are those of constrained_dynamics.
# Needs nvcc and a device; ptxas.log in the folders below WORK has registers and spills.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
featherline=$1 work=$2
shift 2
PATH=$PATH:/usr/local/cuda/bin
nvcc=$(command -v nvcc) || { echo "bench --cuda: there is no nvcc; install the CUDA toolkit" >&2; exit 1; }
runtime=$here/../../../runtime
include="-I. -I$here -I$runtime -I$(dirname "$nvcc")/../include"
names=(rnea aba rnea_derivatives aba_derivatives rollout step constrained_dynamics)
rm -rf "$work" && mkdir -p "$work"
for chosen in "$@"; do
  IFS=: read -r urdf base bits contacts <<< "$chosen"
  robot=$(basename "$urdf") robot=${robot%.*}
  for k in "${!names[@]}"; do
    (((bits >> k) & 1)) || continue
    options=
    [ "${names[k]}" = constrained_dynamics ] && options="--contacts $contacts"
    for scalar in float double; do  # of their own, so that they compile side by side
      folder=$work/${robot}_${names[k]}.$scalar
      echo "$featherline generate $urdf ${base:+--base $base} --name ${robot}_${names[k]} -o $folder --jobs 1" \
        "--functions ${names[k]} --scalar $scalar --cuda --batch --quiet $options &&" \
        "rm -f $folder/*_avx2.cpp $folder/*_avx512.cpp" >> "$work/generate"
      flags="-DROBOT=${robot}_${names[k]} -DFUNCTIONS=$((1 << k)) -DSCALARS=$([ $scalar = float ] && echo 1 || echo 2)"
      host="-std=c++17 -O2 -march=native -fopenmp -DNDEBUG -DFEATHERLINE_BATCH_NATIVE $include"
      echo "cd $folder && nvcc -std=c++17 -arch=native -O3 -DNDEBUG -DFEATHERLINE_CUDA_CHECKS=1 -Xptxas -v $include -c *_cuda.cu -o cu.o > ptxas.log 2>&1"
      echo "cd $folder && g++ -std=c++17 -DNDEBUG $flags $include -c $here/device_robot.cpp -o robot.o"
      echo "cd $folder && for f in *.cpp; do g++ $host -c \$f -o \$f.o; done"
    done
  done
done > "$work/jobs"
echo "nvcc -std=c++17 -arch=native -O3 $include -c $here/nothing.cu -o $work/nothing.o" >> "$work/jobs"
for jobs in generate jobs; do
  xargs -P "$(nproc)" -I{} sh -c {} < "$work/$jobs"
done
g++ -std=c++17 -O2 -DNDEBUG -DFEATHERLINE_CUDA_CHECKS=1 $include "$here/bench_cuda.cpp" "$work"/*/*.o "$work/nothing.o" -fopenmp \
  -L"$(dirname "$nvcc")/../lib64" -lcudart_static -ldl -lrt -lpthread -o "$work/bench_cuda"
export OMP_WAIT_POLICY=active OMP_PROC_BIND=true
"$work/bench_cuda" values >&2
"$work/bench_cuda" times
"$work/bench_cuda" few
