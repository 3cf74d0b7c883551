#!/usr/bin/env python3
# check_sizes.py - functions and files that are too long
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check_sizes.py [--self-test] [TREE]
# Knows: a function may have MOST_LINES lines from its opening brace (in Python:
# from its name) to its end, and a file MOST_OF_FILE lines. A longer one needs a
# reason, in a line of the comment at the head of its file:
#   Long: why the file is long
#   Long, NAME: why the function is long
# The public header has its reason in REASONS, because users read its head.
# Functions are found by counting braces in the text without strings, comments
# and all but the first branch of each #if.
# Not here: programs that are inputs of tests (lit inputs, kernels, workloads).
import ast
import os
import re
import sys
import tempfile

MOST_LINES = 100
MOST_OF_FILE = 600

TOPS = ["passes", "profiles", "rewriter", "runtime", "utils",
        "test/profiles", "test/runtime", "test/fuzz", "test/guest",
        "test/hardware", "test/identity"]

# {"FILE": why it is long}
REASONS = {
    "ek.h": "programs include one header, which explains all of the interface",
}


# --- C and C++ ----------------------------------------------------------------

def bare(text):
    """The text without comments, strings and second arms; lines stay."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group(0))
    text = re.sub(r'R"(\w*)\(.*?\)\1"|/\*.*?\*/|//(?:\\\n|[^\n])*|"(?:\\.|[^"\\\n])*"'
                  r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'", blank, text, flags=re.S)
    lines = text.split("\n")
    arms = []  # of open conditionals: whether the present one is left out
    goes_on = False
    for i, line in enumerate(lines):
        m = re.match(r"\s*#\s*(if|el|endif)", line)
        if m and not goes_on:
            if m.group(1) == "if":
                arms.append(False)
            elif m.group(1) == "el" and arms:
                arms[-1] = True
            elif arms:
                arms.pop()
        is_directive = goes_on or re.match(r"\s*#", line)
        goes_on = bool(is_directive) and line.rstrip().endswith("\\")
        if is_directive or any(arms):
            lines[i] = ""
    return "\n".join(lines)


SCOPE = re.compile(r"\b(namespace|class|struct|union|enum)\b")


def name_of(head):
    """Of a function, by what stands in front of its brace; None: no function."""
    head = " ".join(head.split())
    if SCOPE.search(head) and not re.search(r"\)\s*(const|noexcept|override)*\s*$", head):
        return None
    at = head.find("(")
    if at < 0 or re.search(r"[=,]\s*$", head):
        return None
    # After attributes with arguments.
    while True:
        m = re.search(r"(operator\s*\(\)|operator\s*[^\s(]+|~?\w+)\s*$", head[:at])
        if not m or m.group(1) not in ("__attribute__", "alignas", "decltype", "noexcept"):
            break
        depth, end = 0, at
        while end < len(head):
            depth += {"(": 1, ")": -1}.get(head[end], 0)
            end += 1
            if not depth:
                break
        at = head.find("(", end)
        if at < 0:
            return None
    if not m:
        return None
    name = m.group(1)
    if name in ("TEST", "TEST_F", "TEST_P"):  # Suite.Name
        return re.sub(r"\s*,\s*", ".", head[at + 1:].partition(")")[0])
    return name


def c_functions(text):
    """(name, first line, lines) of the functions of a C or C++ text."""
    text = bare(text)
    begin, stack = 0, []
    for m in re.finditer(r"[;{}]", text):
        if m.group(0) == "{":
            if re.match(r"[\w>\]]", text[m.start() - 1:m.start()]):
                stack.append((None, -1))  # a value's, as in `C{X}`
                continue
            inside = any(name for name, _ in stack)
            stack.append((None if inside else name_of(text[begin:m.start()]), m.start()))
        elif m.group(0) == "}" and stack:
            name, start = stack.pop()
            if start < 0:
                continue
            if name:
                first = text.count("\n", 0, start) + 1
                yield name, first, text.count("\n", start, m.start()) + 1
        elif m.group(0) == ";" and text.count("(", begin, m.start()) > text.count(")", begin, m.start()):
            continue  # of a for loop's head
        begin = m.end()


# --- Python -------------------------------------------------------------------

def py_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


# --- All ----------------------------------------------------------------------

def kind_of(path, text):
    if path.endswith((".c", ".cpp", ".h", ".def")):
        return "c"
    if path.endswith(".py") or re.match(r"#!.*python", text):
        return "py"
    return None


def reasons(text):
    """What the comment at the head of a file says may be long: names; "" is the
    file itself."""
    found = set()
    for line in text.split("\n"):
        if line.strip() and not re.match(r"\s*(//|/\*|\*|#(?!\s*include))", line):
            break
        m = re.search(r"\bLong(?:, ([^:]+))?: \S", line)
        if m:
            found.add(m.group(1) or "")
    return found


def too_long(path, text):
    """(what, line, lines, most) of what is too long in one file."""
    kind = kind_of(path, text)
    if not kind:
        return
    said = reasons(text)
    if os.path.basename(path) in REASONS:
        said.add("")
    lines = text.count("\n")
    if lines > MOST_OF_FILE and "" not in said:
        yield os.path.basename(path), 1, lines, MOST_OF_FILE
    for name, line, lines in (c_functions if kind == "c" else py_functions)(text):
        if lines > MOST_LINES and name not in said:
            yield f"{os.path.basename(path)} {name}", line, lines, MOST_LINES


def look(root):
    """Lines to print: a line for each file or function that is too long."""
    said = []
    for top in TOPS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if f not in ("__pycache__", "Inputs", "corpus", "regressions"))
            for name in sorted(names):
                path = os.path.join(folder, name)
                try:
                    with open(path, encoding="utf-8") as f:
                        text = f.read()
                except UnicodeDecodeError:
                    continue
                for what, line, lines, most in too_long(path, text):
                    said.append(f"{os.path.relpath(path, root)}:{line}: {what.partition(' ')[2] or 'the file'} "
                                f"has {lines} lines, more than {most}")
    return said


# --- self test ----------------------------------------------------------------

BODY = "  x();\n"
# Texts of a C++ file and the names of its functions that are too long.
TEXTS = [
    ("void f() {\n" + BODY * 98 + "}\n", []),
    ("void f() {\n" + BODY * 99 + "}\n", ["f"]),
    ("int A::f(int X) const {\n" + BODY * 99 + "}\n", ["f"]),
    ("A::A(int X) : B(X), C{X} {\n" + BODY * 99 + "}\n", ["A"]),
    ("TEST(Suite, Name) {\n" + BODY * 99 + "}\n", ["Suite.Name"]),
    ("static __attribute__((noinline)) void f(int X) {\n" + BODY * 99 + "}\n", ["f"]),
    ("namespace a {\nstruct B {\n" + "  int x;\n" * 200 + "};\n}\n", []),
    ("const char *T[] = {\n" + "  \"}\",\n" * 200 + "};\n", []),
    ("class A {\n  void f() {\n" + BODY * 99 + "  }\n};\n", ["f"]),
    ("void f() {\n  auto L = [] {\n" + BODY * 99 + "  };\n}\n", ["f"]),
    ("void f() { /* } */ g('}'); // }\n" + BODY * 99 + "}\nvoid g() {\n}\n", ["f"]),
    ("void f() {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\nvoid g() {\n" + BODY * 99 + "}\n", ["g"]),
    ("// Long, f: a table.\nvoid f() {\n" + BODY * 99 + "}\n", []),
    ("void h();\n// Long, f: too late to say so.\nvoid f() {\n" + BODY * 99 + "}\n", ["f"]),
]


def self_test():
    for text, expected in TEXTS:
        said = [what.partition(" ")[2] for what, *_ in too_long("t.cpp", text)]
        if said != expected:
            sys.exit(f"of\n{text[:200]}\nexpected {expected}, said {said}")
    for lines, head, expected in ((600, "", 0), (601, "", 1), (601, "// Long: it is.\n", 0)):
        if len(list(too_long("t.h", head + "int x;\n" * lines))) != expected:
            sys.exit(f"of {lines} lines and {head!r}")
    if [n for n, *_ in too_long("t.py", "def f():\n" + "    x()\n" * 100)] != ["t.py f"]:
        sys.exit("of a Python function")
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "passes"))
        with open(os.path.join(root, "passes", "a.cpp"), "w", encoding="utf-8") as f:
            f.write("void f() {\n" + BODY * 120 + "}\n")
        if look(root) != ["passes/a.cpp:1: f has 122 lines, more than 100"]:
            sys.exit(f"of a tree: {look(root)}")


def main():
    args = sys.argv[1:]
    if "--self-test" in args:
        self_test()
        return
    root = next((a for a in args if not a.startswith("-")),
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    lines = look(root)
    print("\n".join(lines))
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
