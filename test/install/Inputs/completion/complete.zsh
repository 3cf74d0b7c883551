# complete.zsh FOLDER LINE...: what zsh offers for the last word
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An interactive zsh behind a terminal gets the line and a tab; it prints what its
# completion functions add, between marks.
zmodload zsh/zpty
folder=$1
shift
{
  print -r -- "PROMPT=; RPROMPT="
  print -r -- "fpath=(${(q)folder} \$fpath); autoload -U compinit; compinit -D -u"
  # Functions that ask for matches without adding them are left alone.
  print -r -- 'compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
    local -a __hits; builtin compadd -A __hits "$@"
    local one; for one in $__hits; do print -r -- "<${one}>"; done
    builtin compadd "$@"
  }'
  print -r -- 'begin() { print -r -- "{{" }; finish() { print -r -- "}}"; zle send-break }'
  print -r -- 'compprefuncs=(begin); comppostfuncs=(finish)'
  print -r -- 'zstyle ":completion:*" list-grouped false; LISTMAX=0; setopt no_beep no_auto_menu'
  print -r -- 'bindkey "^I" complete-word; print -r -- "read""y"'
} > $TMPDIR/zshrc
for line in "$@"; do
  zpty shell zsh -f -i
  zpty -w shell "source ${(q)TMPDIR}/zshrc"
  output=
  while zpty -r shell part; do
    output+=$part
    [[ $output == *ready* ]] && break
  done
  zpty -w -n shell "$line"$'\t'
  output=
  while zpty -r shell part; do
    output+=$part
    [[ $output == *'}}'* ]] && break
  done
  zpty -d shell
  output=${output##*'{{'}
  found=(${(M)${(f)${output//$'\r'/}}:#\<*\>})
  found=(${${found#\<}%\>})
  print -r -- "$line| $found"
done
