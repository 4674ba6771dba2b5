#!/bin/sh
# Stands for the tool xacro in tests, with its command line: xacro [--deps] FILE [NAME:=VALUE ...]. It is no xacro: it puts
# the lines of a file into the place of <xacro:include filename="NAME"/>, alone on its line, and values of $(arg NAME).
deps=
[ "$1" = --deps ] && { deps=1; shift; }
file=$1
shift
[ -r "$file" ] || { echo "error: No such file or directory: $file" >&2; exit 2; }
text=$(while IFS= read -r line; do
  part=$(printf '%s\n' "$line" | sed -n 's|.*<xacro:include filename="\(.*\)"/>.*|\1|p')
  if [ -n "$part" ]; then
    if [ -n "$deps" ]; then printf '%s ' "$(dirname "$file")/$part"; else cat "$(dirname "$file")/$part"; fi
  elif [ -z "$deps" ]; then
    printf '%s\n' "$line"
  fi
done < "$file")
for argument in "$@"; do
  text=$(printf '%s\n' "$text" | sed "s|\$(arg ${argument%%:=*})|${argument#*:=}|g")
done
case $text in *'$(arg '*) printf 'error: Undefined substitution argument\nwhen processing file: %s\n' "$file" >&2; exit 2;; esac
printf '%s\n' "$text"
