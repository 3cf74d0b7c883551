#!/usr/bin/env python3
# make_completion.py - completion for bash, zsh and fish, from the option tables
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   make_completion.py --bin BIN --out DIR
#
# Makes: DIR/bash/evenkeel, DIR/zsh/_evenkeel, DIR/fish/evenkeel.fish, and the
# same for evenkeel-cc and evenkeel-c++. Commands, options and their words are
# written down; machines, policies, planners and models are asked of the command
# when they are completed, so that machine files of one's own are among them.
import argparse
from pathlib import Path

import option_table

HEADER = """# Completion of {name} for {shell}; made by utils/lib/make_completion.py.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
COMPILERS = ("evenkeel-cc", "evenkeel-c++")


def short(help_text, most=64):
    """The beginning of a help text, as a description beside a word."""
    for mark in ("; ", ": ", " ("):
        help_text = help_text.split(mark)[0]
    if len(help_text) > most:
        help_text = help_text[:most].rsplit(" ", 1)[0] + " ..."
    return help_text


def listing(kind):
    words, first = option_table.LISTS[kind]
    return " ".join(words), first


def names(option):
    return [n for n in (option["name"], option["alias"]) if n]


def first_words(command):
    """(words in place of a program, {word: kind of what comes after it})."""
    return " ".join(command["words"]), {w: k for w, k in command["words"].items() if k != "nothing"}


# --- bash ----------------------------------------------------------------------

BASH = r"""
# Sets cur, prev, command and before from the line, whose words break at =.
_evenkeel_words() {
  cur=${COMP_WORDS[COMP_CWORD]}
  prev=${COMP_WORDS[COMP_CWORD - 1]}
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  command=
  local i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      dashes=$i
      break
    elif [[ -z $command && ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
    elif [[ -z $word && ${COMP_WORDS[i]} != -* ]]; then
      word=${COMP_WORDS[i]}
    fi
  done
}

_evenkeel_offer() {
  local IFS=$' \t\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

# Several of the words, with commas between them.
_evenkeel_offer_several() {
  local before=
  [[ $cur == *,* ]] && before=${cur%,*},
  local IFS=$' \t\n'
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
  compopt -o nospace 2>/dev/null
}

_evenkeel_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}

# What `evenkeel WORD...` lists, from row $1 on.
_evenkeel_list() {
  local first=$1
  shift
  "${COMP_WORDS[0]}" "$@" 2>/dev/null | tail -n "+$first" | cut -d' ' -f1
}

# The words of the program behind --.
_evenkeel_program() {
  if declare -F _command_offset >/dev/null; then
    _command_offset $((dashes + 1))
  elif ((COMP_CWORD == dashes + 1)); then
    _evenkeel_files -c
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  else
    _evenkeel_files -f
  fi
}
"""


def bash_action(takes):
    kind, several = takes["kind"], takes["several"]
    offer = "_evenkeel_offer_several" if several else "_evenkeel_offer"
    if kind == "words":
        return f'{offer} "{" ".join(takes["words"])}"'
    if kind in option_table.LISTS:
        words, first = listing(kind)
        action = f'{offer} "$(_evenkeel_list {first} {words})"'
        # A machine is a name or a file.
        return action + (
            "\n      ((${#COMPREPLY[@]})) || _evenkeel_files -f" if kind == "machines" and not several else "")
    return {"file": "_evenkeel_files -f", "folder": "_evenkeel_files -d", "nothing": ":"}[kind]


def bash(table):
    out = HEADER.format(name="evenkeel", shell="bash") + BASH
    out += "\n_evenkeel() {\n  local cur prev command word dashes=\n  COMPREPLY=()\n  _evenkeel_words\n"
    out += "  [[ -n $dashes ]] && { _evenkeel_program; return; }\n"
    out += '  case "$command $prev" in\n'
    for c in table["commands"]:
        for o in c["options"]:
            if o["takes"]:
                labels = " | ".join(f'"{c["name"]} {n}"' for n in names(o))
                out += f"    {labels})\n      {bash_action(o['takes'])}\n      return\n      ;;\n"
    out += "  esac\n  local options= words= file=yes\n  case $command in\n"
    commands = " ".join(c["name"] for c in table["commands"])
    out += f'    "") options="--help --version" words="{commands}" file= ;;\n'
    for c in table["commands"]:
        options = " ".join(n for o in c["options"] for n in names(o))
        words, after = first_words(c)
        out += f'    {c["name"]})\n      options="{options}"\n'
        if words:
            out += f'      words="{words}"\n'
            for word, kind in after.items():
                listed, first = listing(kind)
                out += f'      [[ $word == {word} ]] && words=$(_evenkeel_list {first} {listed})\n'
        if c["takes"] == "program":
            out += '      options+=" --" file=\n'
        elif c["takes"] == "none":
            out += "      file=\n"
        out += "      ;;\n"
    out += """  esac
  if [[ $cur == -* ]]; then
    _evenkeel_offer "$options"
    return
  fi
  _evenkeel_offer "$words"
  [[ -z $file || ${#COMPREPLY[@]} -gt 0 ]] || _evenkeel_files -f
}
complete -F _evenkeel evenkeel
"""
    return out


def bash_compiler(c):
    words = " ".join(w for w, _ in compiler_words(c))
    return HEADER.format(name="evenkeel-cc", shell="bash") + f"""
_evenkeel_cc() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} IFS=$'\\n'
  [[ $cur == = ]] && cur= || {{ [[ $prev == = ]] && prev=${{COMP_WORDS[COMP_CWORD - 2]}}; }}
  COMPREPLY=()
  compopt -o filenames 2>/dev/null
  case $prev in
    --record) COMPREPLY=($(IFS=' '; compgen -W "misses sampled counts" -- "$cur")) ; return ;;
    --root) COMPREPLY=($(compgen -d -- "$cur")) ; return ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(IFS=' '; compgen -W "{words}" -- "$cur"))
    [[ ${{COMPREPLY[*]}} == *= ]] && compopt -o nospace 2>/dev/null
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}}
complete -F _evenkeel_cc {' '.join(COMPILERS)}
"""


def compiler_words(c):
    """[(option as it is completed, meaning)]: one row for all --record=MODE."""
    seen = {}
    for name, meaning in c["options"]:
        word = name.split(" ")[0]
        if word.startswith("--record="):
            word, meaning = "--record=", "build a program for evenkeel record"
        elif "=" in word:
            word = word.split("=")[0] + "="
        seen.setdefault(word, meaning)
    return list(seen.items())


# --- zsh -----------------------------------------------------------------------


def zsh_text(words, also=""):
    for c in "\\[]:" + also:
        words = words.replace(c, "\\" + c)
    return words.replace("'", "'\\''")


def zsh_action(takes):
    kind, several = takes["kind"], takes["several"]
    if kind == "words":
        return f"({' '.join(takes['words'])})"
    if kind in option_table.LISTS:
        words, first = listing(kind)
        # With a space before it, _arguments adds no words of its own.
        return f" _evenkeel_list {int(several)} {first} {words}"
    return {"file": "_files", "folder": "_files -/", "nothing": " "}[kind]


def zsh_specs(command):
    for o in command["options"]:
        for name in names(o):
            spec = f"*{name}" + ("=" if o["value"] and name.startswith("--") else "")
            spec += f"[{zsh_text(short(o['help']))}]"
            if o["value"]:
                spec += f":{zsh_text(o['value'])}:{zsh_action(o['takes'])}"
            yield f"'{spec}'"
    words, after = first_words(command)
    if words:
        yield f"'1:what:({words})'"
        yield "'*:name:_evenkeel_after'" if after else "'*:file:_files'"
    elif command["takes"] == "program":
        yield "'*:::program:_evenkeel_program'"
    elif command["takes"] == "names":
        yield "'*:file:_files'"


def zsh(table):
    out = "#compdef evenkeel\n" + HEADER.format(name="evenkeel", shell="zsh")
    out += r"""
# _evenkeel_list SEVERAL FIRST WORD...: what `evenkeel WORD...` lists.
_evenkeel_list() {
  local several=$1 first=$2
  shift 2
  local -a found
  found=(${(f)"$($_evenkeel_command $@ 2>/dev/null | tail -n +$first | cut -d' ' -f1)"})
  if ((several)); then
    _values -s , name $found
  else
    compadd -a found
    [[ $1 == machine ]] && _files
  fi
}

# The program behind --, with its own completion.
_evenkeel_program() {
  local at=${words[(i)--]}
  if ((at < CURRENT)); then
    shift $at words
    ((CURRENT -= at))
  fi
  _normal
}

_evenkeel_after() {
"""
    for c in table["commands"]:
        for word, kind in first_words(c)[1].items():
            listed, first = listing(kind)
            out += f"  [[ ${{line[1]}} == {word} ]] && _evenkeel_list 0 {first} {listed}\n"
    out += "}\n\n_evenkeel() {\n  local _evenkeel_command=$words[1] curcontext=$curcontext state line\n"
    out += "  _arguments -C '--help[show the commands]' '--version[show the version]' "
    out += "'1:command:->command' '*::option:->options'\n  case $state in\n  command)\n"
    out += "    local -a commands=(\n"
    for c in table["commands"]:
        out += f"      '{c['name']}:{zsh_text(c['question'])}'\n"
    out += "    )\n    _describe command commands\n    ;;\n  options)\n    case $words[1] in\n"
    for c in table["commands"]:
        out += f"    {c['name']})\n      _arguments \\\n"
        out += " \\\n".join(f"        {s}" for s in zsh_specs(c)) + "\n      ;;\n"
    return out + "    esac\n    ;;\n  esac\n}\n\n_evenkeel \"$@\"\n"


def zsh_compiler(c):
    out = f"#compdef {' '.join(COMPILERS)}\n" + HEADER.format(name="evenkeel-cc", shell="zsh") + "\n_arguments \\\n"
    values = {"--record=": ":mode:(misses sampled counts)", "--plan=": ":plan:_files",
              "--root=": ":folder:_files -/", "--wrapper=": ":functions: "}
    for word, meaning in compiler_words(c):
        dash = "-" if word.endswith("=") else ""
        out += f"  '*{word}{dash}[{zsh_text(short(meaning))}]{values.get(word, '')}' \\\n"
    return out.replace("=-[", "=[") + "  '*:file:_files'\n"


# --- fish ----------------------------------------------------------------------


def fish_text(words):
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_action(takes):
    kind = takes["kind"]
    if kind in ("file", "nothing"):
        return " -r -F" if kind == "file" else " -x"
    if kind == "folder":
        return " -x -a '(__fish_complete_directories)'"
    if kind == "words":
        return f" -x -a {fish_text(' '.join(takes['words']))}"
    words, first = listing(kind)
    several = " several" if takes["several"] else ""
    return f" -r{' -f' if kind != 'machines' else ' -F'} -a '(__evenkeel_list {first} \"{words}\"{several})'"


def fish(table):
    out = HEADER.format(name="evenkeel", shell="fish") + r"""
# __evenkeel_list FIRST WORDS [several]: what `evenkeel WORDS` lists, from row FIRST on.
function __evenkeel_list
    set -l command (commandline -opc)[1]
    set -l before
    if test (count $argv) -gt 2
        set before (commandline -ct | string replace -r '^--[a-z-]+=' '' | string match -r '.*,')
    end
    for name in ($command (string split ' ' $argv[2]) 2>/dev/null | tail -n +$argv[1] | string replace -r ' .*' '')
        echo "$before$name"
    end
end

function __evenkeel_has_program
    contains -- -- (commandline -opc)
end

function __evenkeel_in
    set -l words (commandline -opc)
    not contains -- -- $words; and test (count $words) -gt 1; and contains -- $words[2] $argv
end

# The words behind --, completed as a command of their own.
function __evenkeel_program
    set -l words (commandline -opc) (commandline -ct)
    set -l at (contains -i -- -- $words)
    complete -C (string join ' ' -- $words[(math $at + 1)..-1])
end

complete -c evenkeel -f -n __fish_use_subcommand -l help -d 'show the commands'
complete -c evenkeel -f -n __fish_use_subcommand -l version -d 'show the version'
complete -c evenkeel -f -n __evenkeel_has_program -a '(__evenkeel_program)'
"""
    for c in table["commands"]:
        where = f"-n '__evenkeel_in {c['name']}'"
        out += f"complete -c evenkeel -f -n __fish_use_subcommand -a {c['name']} -d {fish_text(c['question'])}\n"
        if c["takes"] != "names" or c["words"]:
            out += f"complete -c evenkeel -f {where}\n"
        words, after = first_words(c)
        if words:
            out += f"complete -c evenkeel -f {where} -a '{words}'\n"
        for word, kind in after.items():
            listed, first = listing(kind)
            out += (f"complete -c evenkeel -f -n '__evenkeel_in {c['name']}; and __fish_seen_subcommand_from {word}' "
                    f"-a '(__evenkeel_list {first} \"{listed}\")'\n")
        for o in c["options"]:
            short_name = f" -s {o['alias'][1:]}" if o["alias"] else ""
            action = fish_action(o["takes"]) if o["value"] else " -f"
            out += (f"complete -c evenkeel {where} -l {o['name'][2:]}{short_name}{action} "
                    f"-d {fish_text(short(o['help']))}\n")
    return out


def fish_compiler(name, c):
    out = HEADER.format(name=name, shell="fish")
    values = {"record": "-x -a 'misses sampled counts'", "plan": "-r -F", "wrapper": "-x",
              "root": "-x -a '(__fish_complete_directories)'"}
    for word, meaning in compiler_words(c):
        bare = word.strip("-=")
        out += f"complete -c {name} -l {bare} {values.get(bare, '')} -d {fish_text(short(meaning))}\n"
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True, type=Path, help="folder with the commands")
    p.add_argument("--out", required=True, type=Path)
    a = p.parse_args()
    table = option_table.read(a.bin / "evenkeel")
    c = option_table.compiler(a.bin / "evenkeel-cc")
    files = {"bash/evenkeel": bash(table), "bash/evenkeel-cc": bash_compiler(c),
             "zsh/_evenkeel": zsh(table), "zsh/_evenkeel-cc": zsh_compiler(c),
             "fish/evenkeel.fish": fish(table)}
    # bash finds a file by the name of the command.
    files["bash/evenkeel-c++"] = "[[ $(type -t _evenkeel_cc) ]] || . \"${BASH_SOURCE[0]%/*}/evenkeel-cc\"\n"
    for name in COMPILERS:
        files[f"fish/{name}.fish"] = fish_compiler(name, c)
    for path, text in files.items():
        (a.out / path).parent.mkdir(parents=True, exist_ok=True)
        (a.out / path).write_text(text)


main()
