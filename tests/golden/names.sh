#!/usr/bin/env bash
# In every function of arm6 and planar3 less than a third of the values have no name but t1, t2, ...
set -euo pipefail
cd "$(dirname "$0")/../../generated"

awk '
  function judge() {
    if (3 * unnamed >= values && values > 0) { print file ": " unnamed " of " values " values are unnamed"; failed = 1 }
    functions += values > 0
    values = unnamed = 0
  }
  FNR == 1 { judge(); file = FILENAME }
  match($0, /^ +const S [A-Za-z0-9_]+ = /) {
    ++values
    if ($3 ~ /^t[0-9]+$/) ++unnamed
  }
  END {
    judge()
    if (functions < 40) { print "only " functions " functions have values"; failed = 1 }
    exit failed
  }
' arm6/*.ipp planar3/*.ipp
