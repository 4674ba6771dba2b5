#!/usr/bin/env bash
# ptx.sh CLANGXX PTXAS RUNTIME FOLDER...: the kernels as clang writes them call nothing, keep no array in local memory, and
# branch only where a thread has no state; ptxas, where it is, assembles them.
set -euo pipefail
clang=$1 ptxas=$2 runtime=$3
shift 3
if [[ $clang == *NOTFOUND || -z $clang ]]; then
  echo "skipped: cuda_ptx needs clang++"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in "$@"; do
  robot=$(basename "$folder")
  "$clang" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -S -O2 -std=c++17 \
    -Wno-unknown-cuda-version -Xclang -target-feature -Xclang +ptx63 \
    -I"$runtime" -I"$folder" "$folder/${robot}_cuda.cu" -o "$work/$robot.ptx"
  python3 - "$work/$robot.ptx" << 'PYTHON'
import re, sys
kernels = re.split(r'\.visible \.entry ', open(sys.argv[1]).read())[1:]
if len(kernels) < 10:
    sys.exit(f'only {len(kernels)} kernels')
for text in kernels:
    name = text[:text.index('(')]
    for word in ('call', r'\.local'):
        if re.search(r'\b' + word if word == 'call' else word, text):
            sys.exit(f'{name} has {word}')
    branches = len(re.findall(r'\bbra\b', text))
    if '_soa_' in name and 'rollout' not in name and branches > 1:
        sys.exit(f'{name} has {branches} branches')
    # Stores of the layout by element go straight to global memory.
    if '_soa_' in name and not re.search(r'st\.global', text):
        sys.exit(f'{name} stores nothing')
print(sys.argv[1], len(kernels), 'kernels')
PYTHON
  if [[ $ptxas != *NOTFOUND && -n $ptxas ]]; then
    "$ptxas" -arch=sm_90 -O0 "$work/$robot.ptx" -o "$work/$robot.cubin"
  fi
done
