#!/usr/bin/env bash
# The estimates of code and stack against what arm-none-eabi-g++ makes, through `featherline check --size`: at most 5 % too
# low and 25 % too high. Sizes are deterministic.
# Usage: check_sizes.sh FEATHERLINE CPU FPU ROBOT.urdf fixed|floating FUNCTIONS
set -euo pipefail

if ! command -v arm-none-eabi-g++ > /dev/null; then
  echo "SKIP: no arm-none-eabi-g++; install gcc-arm-none-eabi and libstdc++-arm-none-eabi-newlib"
  exit 77
fi
export CXX="arm-none-eabi-g++ -mcpu=$2 -mfpu=$3 -mfloat-abi=hard -mthumb"
table=$("$1" check "$4" --base "$5" --functions "$6" --states 1 --size)
echo "$table"
# Rows of the second table: name, ~stack, stack, off by, "%", ~code, code, off by, "%", code -Os.
echo "$table" | awk '
  /^bytes of/ { in_sizes = 1; next }
  /^all together/ { image = $5; next }
  in_sizes && NF == 10 {
    ++rows
    if ($4 < -5 || $4 > 25 || $8 < -5 || $8 > 25) { print "off by too much: " $0; bad = 1 }
  }
  END {
    if (rows < 5) { print "too few rows: " rows; bad = 1 }
    if (image < -5 || image > 25) { print "the image is off by " image " %"; bad = 1 }
    exit bad
  }'
