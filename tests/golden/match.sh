#!/usr/bin/env bash
# generated/ is, byte for byte and without stale files, what the generator makes.
# Usage: match.sh FEATHERLINE
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
FEATHERLINE=$1 scripts/update-goldens --into "$work" 2>/dev/null
if ! diff -r -u --exclude=README.md generated "$work" >"$work.diff"; then
  head -n 60 "$work.diff"
  rm -f "$work.diff"
  echo "generated/ differs from what the generator makes. If that is meant: scripts/update-goldens, then read the"
  echo "difference in git and commit it."
  exit 1
fi
rm -f "$work.diff"
