#!/usr/bin/env bash
# `featherline check` on a robot of ../shared/robots.
# Usage: check_shared_robot.sh FEATHERLINE ROBOT fixed|floating [flags of check...]
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/support/need_shared.sh

need_shared "robots/$2.urdf"
"$1" check "../shared/robots/$2.urdf" --base "$3" "${@:4}"
