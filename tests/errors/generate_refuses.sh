#!/bin/sh
# generate on every bad file: the expected text on stderr, exit code 1 and nothing written where it holds an error,
# else exit code 0. Usage: generate_refuses.sh FEATHERLINE UNPACKED_CASES
set -eu
featherline=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$2"
failures=0

complain() {
  echo "$1: $2"
  failures=$((failures + 1))
}

for expected in *.txt; do
  stem=${expected%.txt}
  input=$(ls "$stem".* | grep -v '\.txt$')
  status=0
  "$featherline" generate "$input" -o "$scratch/out" --functions gravity --no-report 2> "$scratch/err" || status=$?
  wanted=0
  if grep -q ': error: ' "$expected"; then wanted=1; fi
  if [ "$status" != "$wanted" ]; then complain "$input" "exit code $status instead of $wanted"; fi
  if ! diff "$expected" "$scratch/err"; then complain "$input" "another text on stderr"; fi
  if [ "$wanted" = 1 ] && [ -e "$scratch/out" ]; then complain "$input" "something was written"; fi
  rm -rf "$scratch/out"
done
exit "$((failures > 0))"
