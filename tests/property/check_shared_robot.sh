#!/usr/bin/env bash
# `featherline check` on a robot of ../shared/robots.
# Usage: check_shared_robot.sh FEATHERLINE ROBOT fixed|floating [flags of check...]
set -euo pipefail
cd "$(dirname "$0")/../.."

urdf=../shared/robots/$2.urdf
if [ ! -e "$urdf" ]; then
  echo "SKIP: there is no $urdf"
  exit 77
fi
"$1" check "$urdf" --base "$3" "${@:4}"
