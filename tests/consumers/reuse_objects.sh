#!/usr/bin/env bash
# A compiler launcher for builds of the generator inside a test. BUILD, the build that runs the tests, has made the same
# objects: where compiler, source and arguments are the same but for warnings and for the place of the build folder,
# its object is copied. Everything else is compiled, by LAUNCHER unless that is empty.
# Usage: reuse_objects.sh BUILD LAUNCHER COMPILER ARGUMENT...
set -euo pipefail
build=$1 launcher=$2
shift 2

# On compile_commands.json the object of the line whose command is `wanted`, without it the command as it is compared.
read -r -d '' program << 'END' || true
function comparable(command) {
  gsub(/[\\"]/, "", command)
  sub(/^[^ ]* /, "", command)
  gsub(/ -(MD|(MT|MF|o) [^ ]*|W[^ ]*)/, "", command)
  gsub(/[^ ]*\/generator\/CMakeFiles\//, "generator/CMakeFiles/", command)
  return command
}
wanted == "" { print comparable($0); exit }
/^ *"command": / {
  sub(/^ *"command": "/, ""); sub(/",$/, "")
  if (comparable($0) != wanted || !match($0, / -o [^ ]*/)) next
  compiler = $1; object = substr($0, RSTART + 4, RLENGTH - 4)
  print compiler, object
  exit
}
END

object='' previous=''
for argument in "$@"; do
  if [ "$previous" = -o ]; then object=$argument; fi
  previous=$argument
done
wanted=$(awk "$program" <<< "$*")
if read -r compiler made < <(awk -v wanted="${wanted//\\/}" "$program" "$build/compile_commands.json") &&
  [ "$(readlink -f "$compiler")" = "$(readlink -f "$1")" ] && [ -f "$build/$made" ]; then
  exec cp "$build/$made" "$object"
fi
exec ${launcher:+"$launcher"} "$@"
