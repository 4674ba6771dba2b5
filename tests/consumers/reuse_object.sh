#!/bin/sh
# reuse_object.sh COMMANDS TREE BUILD COMPILER FLAG...: a launcher of compilers. An object that the build folder TREE of
# Featherline made with the same flags is copied; warnings do not count. All others are compiled. COMMANDS has the
# flags of TREE, one object a line (add_subdirectory.cmake); in BUILD Featherline is the folder `featherline`.
commands=$1 tree=$2 build=$3
shift 3
flags=$(echo "$*" | sed "s#^$1 ##; s# -MD -MT [^ ]* -MF [^ ]*##; s# -W[^ ]*##g; s#$build/featherline/#$tree/#g; s# -o featherline/# -o #")
grep -Fxq -e "$flags" "$commands" || exec "$@"
object=$(echo "$*" | sed 's#.* -o \([^ ]*\) .*#\1#')
rules=$(echo "$*" | sed 's#.* -MF \([^ ]*\) .*#\1#')
echo "$object:" > "$rules"
cp "$tree/${object#featherline/}" "$object"
echo "$object" >> "$build/reused.txt"
