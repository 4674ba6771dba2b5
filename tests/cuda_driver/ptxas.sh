#!/usr/bin/env bash
# ptxas.sh FEATHERLINE URDF: what $FEATHERLINE_PTXAS says of the kernels is in report and manifest. A stand-in says it.
set -euo pipefail
if ! command -v clang++ > /dev/null; then
  echo "skipped: cuda_ptxas needs clang++"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/ptxas" << 'FAKE'
#!/bin/sh
[ "$1 $2" = "-v -arch=sm_80" ] || exit 1
for kernel in $(sed -n 's/^\.visible \.entry \(.*\)(/\1/p' "$3"); do
  registers=17
  case $kernel in *_soa_*) registers=18 ;; esac
  echo "ptxas info    : Compiling entry function '$kernel' for 'sm_80'"
  echo "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads"
  echo "ptxas info    : Used $registers registers, used 1 barriers"
done
FAKE
chmod +x "$work/ptxas"
generate() { "$1" generate "$2" --functions gravity,aba --target cuda-sm80 --cuda ptx --scalar float --jobs 2 -o "$work/out"; }
generate "$@" > "$work/unasked"
if grep -q "17 + 4" "$work/unasked"; then exit 1; fi
FEATHERLINE_PTXAS="$work/ptxas" generate "$@" > "$work/report"
[ "$(grep -c "17 + 4 *18 + 4" "$work/report")" = 2 ]
python3 - "$work"/out/*.json << 'PYTHON'
import json, sys
functions = json.load(open(sys.argv[1], encoding="utf-8"))["functions"]
for name in ("gravity", "aba"):
    assert functions[name]["device"]["float"]["ptxas"] == {"rows": {"registers": 17, "spilled_bytes": 4},
                                                           "by_element": {"registers": 18, "spilled_bytes": 4}}
PYTHON
if FEATHERLINE_PTXAS=false generate "$@" 2> "$work/error"; then exit 1; fi
grep -q 'error: --cuda ptx: "false" failed; name ptxas of the CUDA toolkit in FEATHERLINE_PTXAS, or unset it' "$work/error"
