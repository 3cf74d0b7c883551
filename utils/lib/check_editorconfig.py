#!/usr/bin/python3
# check_editorconfig.py - every file follows .editorconfig
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check_editorconfig.py [--self-test]
# Knows: the files that git tracks, and the settings of .editorconfig for each:
# charset, line ends, the end of the file, trailing spaces, tabs, the length of
# lines (a line without a space, such as a link, may be longer).
# Makes: a line for each violation; exit status 1 if there is one.
# Not here: the depth of indentation, which clang-format and reviews check.
import os
import subprocess
import sys
import tempfile

import editorconfig  # Debian: python3-editorconfig


def wrong_with(data, wants):
    """The violations in a file with these bytes: (line, what)."""
    if b"\0" in data:
        return
    if wants.get("charset") == "utf-8":
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as e:
            yield data.count(b"\n", 0, e.start) + 1, "not UTF-8"
            return
    text = data.decode("utf-8", "replace")
    lines = text.split("\n")
    if wants.get("insert_final_newline") == "true" and text and lines[-1]:
        yield len(lines), "no newline at the end of the file"
    longest = wants.get("max_line_length", "off")
    longest = int(longest) if longest.isdigit() else None
    for number, line in enumerate(lines, 1):
        if wants.get("end_of_line") == "lf" and line.endswith("\r"):
            yield number, "a line ends in CR LF"
            line = line[:-1]
        if wants.get("trim_trailing_whitespace") == "true" and line.rstrip(" \t") != line:
            yield number, "spaces at the end of the line"
        if wants.get("indent_style") == "space" and line[:len(line) - len(line.lstrip())].count("\t"):
            yield number, "a tab in the indentation"
        if longest and len(line) > longest and " " in line.strip():
            yield number, f"{len(line)} columns, {longest} at most"


def check(root, paths):
    found = []
    for path in sorted(paths):
        whole = os.path.join(root, path)
        if os.path.islink(whole) or not os.path.isfile(whole):
            continue
        with open(whole, "rb") as f:
            data = f.read()
        wants = editorconfig.get_properties(os.path.abspath(whole))
        found += [f"{path}:{line}: {what}" for line, what in wrong_with(data, wants)]
    return found


def self_test():
    with tempfile.TemporaryDirectory() as root:
        with open(os.path.join(root, ".editorconfig"), "w") as f:
            f.write("root = true\n[*]\ncharset = utf-8\nend_of_line = lf\nindent_style = space\n"
                    "insert_final_newline = true\ntrim_trailing_whitespace = true\nmax_line_length = 20\n"
                    "[*.keep]\ninsert_final_newline = unset\n")
        files = {"good.txt": b"one\n  two\n", "none.txt": b"", "end.txt": b"one", "end.keep": b"one",
                 "tab.txt": b"\tone\n", "space.txt": b"one \n", "cr.txt": b"one\r\n", "latin.txt": b"\xe9\n",
                 "long.txt": b"a line of many words indeed\n", "link.txt": b"x" * 40 + b"\n"}
        for name, data in files.items():
            with open(os.path.join(root, name), "wb") as f:
                f.write(data)
        got = check(root, files)
        want = ["cr.txt:1: a line ends in CR LF", "end.txt:1: no newline at the end of the file",
                "latin.txt:1: not UTF-8", "long.txt:1: 27 columns, 20 at most",
                "space.txt:1: spaces at the end of the line", "tab.txt:1: a tab in the indentation"]
        if got != want:
            print("\n".join(got))
            return 1
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) > 1:
        print(f"check_editorconfig.py: error: unknown argument '{sys.argv[1]}'", file=sys.stderr)
        return 2
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True)
    found = check(root, [p for p in listed.stdout.decode().split("\0") if p])
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
