#!/usr/bin/env bash
# Two runs in different folders, with different environments and other numbers of threads write the same bytes.
# Usage: double_run.sh FEATHERLINE
set -euo pipefail
featherline=$(realpath "$1")
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/elsewhere"
for robot in quadruped mobile_manipulator; do
  cp "robots/$robot.urdf" "$work/elsewhere"
  "$featherline" generate "robots/$robot.urdf" -o "$work/one/$robot" --base floating --jobs 1 --quiet 2>/dev/null
  (cd "$work/elsewhere" && LC_ALL=C TZ=Asia/Tokyo MALLOC_PERTURB_=85 \
    "$featherline" generate "$robot.urdf" -o "../two/$robot" --base floating --jobs 5 --quiet 2>/dev/null)
  "$featherline" inspect "robots/$robot.urdf" --format=html > "$work/one/$robot.html"
  (cd "$work/elsewhere" && LC_ALL=C TZ=Asia/Tokyo MALLOC_PERTURB_=85 \
    "$featherline" inspect "$robot.urdf" --format=html > "../two/$robot.html")
done
[ "$(find "$work/one" -type f | wc -l)" -gt 20 ]
diff -r "$work/one" "$work/two"
