#!/usr/bin/env bash
# Tests that need ../shared, run where it is missing: exit code 77 and their name, or 1 where CI=true.
# Usage: skips_by_name.sh PROPERTIES TEST_PROGRAM...    (from the repository's root)
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/clone/tests/property"
cp -r tests/support "$scratch/clone/tests"
cp tests/property/check_shared_robot.sh "$scratch/clone/tests/property"
cd "$scratch/clone"
export FEATHERLINE_REFERENCE_VALUES=shared FEATHERLINE_TEST=name_of_the_test

# expect CI EXIT_CODE TEXT COMMAND...
expect() {
  local status=0
  CI=$1 "${@:4}" > ../output 2>&1 || status=$?
  if [ "$status" -ne "$2" ] || ! grep -qF -e "$3" ../output; then
    echo "${*:4}: with CI=$1 expected exit code $2 and \"$3\"; got $status and"
    cat ../output
    exit 1
  fi
}

expect_skip() {
  expect "" 77 "skipped: name_of_the_test needs ../shared/" "$@"
  expect true 1 "error (CI=true forbids skipping): name_of_the_test needs ../shared/" "$@"
}

for file in reference_agreement emitted_values; do expect_skip "$1" --source-file="*/$file.cpp"; done
for program in "${@:2}"; do expect_skip "$program"; done
expect_skip tests/property/check_shared_robot.sh featherline ur5 fixed
