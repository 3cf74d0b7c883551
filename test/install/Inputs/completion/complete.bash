# complete.bash FOLDER LINE...: what bash offers for the last word
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FOLDER has the completion scripts. Each LINE is a command line in one word; its
# words break as on a terminal, at spaces and at =.
folder=$1
shift
for line in "$@"; do
  COMP_WORDS=()
  # A space at the end begins an empty word.
  for word in $line; do
    while [[ $word == --*=* ]]; do
      COMP_WORDS+=("${word%%=*}" =)
      word=${word#*=}
      [[ -n $word ]] || continue 2
    done
    COMP_WORDS+=("$word")
  done
  [[ $line != *" " ]] || COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMP_LINE=$line COMP_POINT=${#line}
  name=${COMP_WORDS[0]}
  . "$folder/$name" || exit
  how=$(complete -p "$name") || exit
  read -r -a how <<<"$how"
  for ((i = 0; i < ${#how[@]}; ++i)); do
    [[ ${how[i]} == -F ]] && function=${how[i + 1]}
  done
  COMPREPLY=()
  "$function" "$name" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  echo "$line| ${COMPREPLY[*]}"
done
