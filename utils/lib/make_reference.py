#!/usr/bin/env python3
# make_reference.py - docs/reference from the tables in the code
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# make_reference.py --bin DIR [--write]
#
# Knows: a page contains blocks between `<!-- generated: NAME -->` and `<!-- end -->`;
# a function below makes each of them from the commands' --help, the schemas, and
# the tables of options, reasons, policies, operators and estimates. For each page
# of rewriter/rules there is one here that includes it. In tables written by hand,
# the names must be those of the code (variables, documents, access classes), and
# each reason in the code must have a row in Reasons.def. CHANGELOG.md must have a
# section for the version.
# Makes: with --write the pages; else a line for each difference, and status 1.
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "docs" / "reference"
BLOCK = re.compile(r"(<!-- generated: ([a-z-]+)(?: (\w+))? -->\n).*?(<!-- end -->)", re.S)
CODE = ("passes", "rewriter", "runtime", "profiles", "utils")


def run(*args):
    return subprocess.run([str(a) for a in args], check=True, capture_output=True, text=True).stdout


def only(name):
    """The text of the only file with this name below the code's folders."""
    found = [p for folder in CODE for p in (ROOT / folder).rglob(name)]
    if len(found) != 1:
        sys.exit(f"make_reference.py: {len(found)} files named {name}")
    return found[0].read_text()


def calls(text, macro):
    """The arguments of each use of a macro: strings, and other words unchanged."""
    for m in re.finditer(rf'^{macro}\(((?:[^"()]|"(?:[^"\\]|\\.)*")*)\)', text, re.M):
        args, pending = [], []
        for word, quoted, comma in re.findall(r'([\w]+)|"((?:[^"\\]|\\.)*)"|(,)', m.group(1)):
            if comma:
                args.append("".join(pending))
                pending = []
            else:
                pending.append(word or quoted.replace('\\"', '"').replace("\\\\", "\\"))
        yield args + ["".join(pending)]


def cell(text):
    """As a cell of a table; words with underscores or angle brackets as code."""
    text = text.replace("|", "\\|").replace("<", "&lt;")
    return re.sub(r"(?<![`\w])(--[a-z][a-z-]*(?:=\w+)?|\w*_(?:\w+|\*)(?:\.json)?(?:=\w+)?)(?![`\w])", r"`\1`", text)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


# --- commands ---------------------------------------------------------------


def command_page(name, text):
    """A section from a command's --help."""
    question, rest = text.split("\n\n", 1)
    usage = re.search(r"^usage: (.*?)\n\n", rest, re.S | re.M).group(1)
    shown = re.search(r"^example:\n((?:  .*\n)+)", rest, re.M)
    example = re.sub(r"^  ", "", shown.group(1), flags=re.M)
    about = rest[shown.end():rest.index("\noptions:\n")]
    rows, now = [], None
    for line in rest.split("\noptions:\n", 1)[1].splitlines():
        if not line.strip():
            break
        m = re.match(r"^  (-.*?)(?:\s\s+(\S.*))?$", line)
        if m:
            now = [m.group(1), m.group(2) or ""]
            rows.append(now)
        else:
            now[1] = (now[1] + " " + line.strip()).strip()
    usage = re.sub(r"\n +", "\n    ", usage)
    out = f"## {name}\n\n{question}\n\n```text\n{usage}\n```\n\n"
    out += f"Example:\n\n```sh\n{example}```\n\n"
    if about.strip():
        out += about.strip() + "\n\n"
    return out + table(("option", "meaning"),
                       [(f"`{o}`".replace("|", "\\|"), cell(m)) for o, m in rows])


def commands(a, _):
    evenkeel = a.bin / "evenkeel"
    names = re.findall(r"^  ([a-z]+) +[A-Z].*\?$", run(evenkeel, "--help"), re.M)
    pages = [command_page(f"evenkeel {n}", run(evenkeel, n, "--help")) for n in names]
    pages.append(command_page("evenkeel-cc, evenkeel-c++", run(a.bin / "evenkeel-cc", "--help")))
    return "\n".join(pages).replace(str(a.bin), "")


# --- policies, planners, models ----------------------------------------------


def policies(a, kind):
    rows = [(f"`{name}`", cell(does), cell(source)) for name, of, does, source in
            calls(only("Policies.def"), "EK_POLICY") if of == kind]
    return table(("policy", "what it does", "source"), rows)


def settings(a, _):
    rows = []
    for line in run(a.bin / "evenkeel", "simulate", "--policy", "settings").splitlines()[1:]:
        name, default, grid, meaning = re.split(r"\s{2,}", line.strip(), maxsplit=3)
        rows.append((f"`{name}`", default, grid, cell(meaning)))
    return table(("setting", "default", "values that tuning tries", "meaning"), rows)


def names(a, what):
    return ", ".join(f"`{n}`" for n in run(a.bin / "evenkeel", "plan", f"--{what}", "list").split()) + "\n"


# --- reasons ------------------------------------------------------------------


def reasons(a, area):
    rows = [(f"`{name}`", cell(meaning), cell(todo)) for of, name, meaning, todo in
            calls(only("Reasons.def"), "EK_WHY") if of == area]
    return table(("reason", "meaning", "what to do"), rows)


def runtime_reasons(a, _):
    rows = [(f"`{name}`", unit, cell(doc), cell(todo)) for _, name, unit, doc, todo in
            calls(only("reasons.def"), "EK_REASON")]
    return table(("reason", "counts", "meaning", "what to do"), rows)


def recorder_reasons(a, _):
    text = (ROOT / "runtime" / "record" / "host" / "Report.cpp").read_text()
    rows = text[text.index("} Reasons[] = {"):text.index("};", text.index("} Reasons[] = {") + 20)]
    out = []
    for m in re.finditer(r'\{"([a-z-]+)",\s*((?:"[^"]*"\s*)+)\}', rows):
        out.append((f"`{m.group(1)}`", cell("".join(re.findall(r'"([^"]*)"', m.group(2))))))
    return table(("reason", "meaning"), out)


def reasons_in_code():
    """The reasons in the code, as far as they can be recognised, by place."""
    name = r'"([a-z]+(?:-[a-z]+)+[:]?)'
    forms = [rf"(?:giveUp|skip|skipUnlisted|doubt|refuse|drop)\((?:\w+, )?(?:[^\";()]*\? *)?{name}",
             rf"(?:Why|Reason|Refused|Lost)\s*=\s*(?:[^;\"]*\?\s*)?{name}",
             rf"(?:GiveUps|Reasons)\[{name}", rf"Problems\.push_back\(\s*\{{{name}",
             rf"Out\.add\({name}"]
    found = {}
    for folder in ("passes", "rewriter", "utils/cli"):
        for path in sorted((ROOT / folder).rglob("*.cpp")) + sorted((ROOT / folder).rglob("*.h")):
            text = path.read_text(errors="replace")
            for form in forms:
                for m in re.finditer(form, text):
                    found.setdefault(m.group(1), path.relative_to(ROOT))
    return found


def wrong_reasons():
    rows = {name for _, name, *_ in calls(only("Reasons.def"), "EK_WHY")}
    folders = ("passes", "rewriter", "utils/cli", "profiles/predict/symbols",
               "profiles/format/ecohmem", "profiles/format/memprof", "profiles/format/touches")
    code = "".join(p.read_text(errors="replace") for folder in folders
                   for p in (ROOT / folder).rglob("*") if p.suffix in (".cpp", ".h"))
    for name, path in sorted(reasons_in_code().items()):
        if name not in rows:
            yield f"{path} has the reason {name}, which has no row in Reasons.def"
    for name in sorted(rows):
        if f'"{name}' not in code:
            yield f"Reasons.def has {name}, which no code uses"


# --- files --------------------------------------------------------------------


def kind_of(schema, defs):
    if "$ref" in schema:
        return f"`{schema['$ref'].split('/')[-1]}`"
    if "anyOf" in schema:
        return " or ".join(kind_of(s, defs) for s in schema["anyOf"])
    if "const" in schema:
        return f"`\"{schema['const']}\"`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(v)}`" for v in schema["enum"])
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array" and "items" in schema:
        return "array of " + kind_of(schema["items"], defs)
    return kind


def fields(schema, defs, path=""):
    for name, of in schema.get("properties", {}).items():
        needed = "yes" if name in schema.get("required", []) else ""
        yield f"`{path}{name}`", cell(kind_of(of, defs)), needed, cell(of.get("description", ""))
        yield from fields(of, defs, f"{path}{name}.")
        items = of.get("items", {})
        yield from fields(items, defs, f"{path}{name}[].")


def schemas(a, _):
    out = ""
    for path in sorted((ROOT / "profiles" / "schemas").glob("*.schema.json")):
        s = json.loads(path.read_text())
        version = s["properties"]["schema"]["const"]
        out += f"## {s['title']}\n\n{s['description']} Schema `{version}`, in `{path.relative_to(ROOT)}`.\n\n"
        out += table(("field", "type", "required", "meaning"), fields(s, s.get("$defs", {})))
        for name, of in s.get("$defs", {}).items():
            out += f"\n`{name}`: {cell(of.get('description') or kind_of(of, {}))}\n"
        out += "\n"
    return out


def wrong_documents():
    page = (PAGES / "files.md").read_text()
    shown = set(re.findall(r"`evenkeel\.([a-z-]+)/\d", page))
    code = set()
    for folder in CODE:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".cpp", ".c", ".h", ".json"):
                text = path.read_text(errors="replace")
                code |= set(re.findall(r"evenkeel\.([a-z-]+)/1\b", text))
                code |= set(re.findall(r'readJsonFile\(\w+, "([a-z-]+)", 1', text))
    for name in sorted(code - shown):
        yield f"files.md does not describe evenkeel.{name}"
    for name in sorted(shown - code):
        yield f"files.md describes evenkeel.{name}, which no code writes"


# --- variables ----------------------------------------------------------------


def runtime_variables(a, _):
    rows = [(f"`EVENKEEL_{name}`", f"`{default}`" if default else "-", cell(unit), cell(doc))
            for name, _, _, default, unit, doc in calls(only("options.def"), "EK_OPTION")]
    return table(("variable", "default", "value", "meaning"), rows)


def wrong_variables():
    page = (PAGES / "variables.md").read_text()
    shown = set(re.findall(r"^\| `(EVENKEEL_\w+)` \|", page, re.M))
    code = {"EVENKEEL_" + row[0] for row in calls(only("options.def"), "EK_OPTION")}
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*")):
            if not path.is_file() or path.suffix in (".json", ".txt", ".py", ".md", ".def"):
                continue
            text = path.read_text(errors="replace")
            code |= set(re.findall(r'"(EVENKEEL_[A-Z0-9_]+)[="]', text))
            if path.parent.name == "wrappers":
                code |= set(re.findall(r"\$\{(EVENKEEL_[A-Z0-9_]+)-", text))
    for name in sorted(code - shown):
        yield f"{name} is read, but has no row in variables.md"
    for name in sorted(shown - code):
        yield f"{name} has a row in variables.md, but nothing reads it"


# --- formulas -----------------------------------------------------------------


def operators(a, _):
    text = (ROOT / "profiles" / "format" / "expr" / "Expr.cpp").read_text()
    text = text[text.index("const OpInfo Ops[]"):]
    rows = re.findall(r'\{"(\S+)", \w+, \w+,\s*Expr::\w+,\s*((?:"[^"]*"\s*)+)\}',
                      text[:text.index("};")])
    rows = [(name, "".join(re.findall(r'"([^"]*)"', meaning))) for name, meaning in rows]
    return table(("operator", "value"), [(f"`{n}`", cell(m)) for n, m in rows])


def estimates(a, kind):
    """Each way as plan -v shows it, with the comment at its enumerator."""
    header = only("Estimate.h")
    body = re.search(rf"enum class {kind}Way : uint8_t \{{(.*?)\n\}};", header, re.S).group(1)
    meanings = [m.strip() for m in re.findall(r"^  \w+,(?: *// *(.*))?$", body, re.M)]
    text = only("Estimate.cpp")
    ways = re.search(rf"{kind}Texts\[\w+\] = \{{(.*?)\}};", text, re.S).group(1)
    return table(("as shown", "meaning"),
                 [(f"`{w}`", cell(m)) for w, m in
                  zip(re.findall(r'"([^"]*)"', ways), meanings, strict=True)])


def wrong_classes():
    body = re.search(r"accessClassName\(AccessClass C\) \{(.*?)\n\}", only("Access.cpp"), re.S)
    code = set(re.findall(r'return "(\w+)"', body.group(1)))
    page = (PAGES / "formulas.md").read_text()
    part = page[page.index("## Access classes"):]
    shown = set(re.findall(r"^\| `(\w+)` \|", part[:part.index("\n## ")], re.M))
    if code != shown:
        yield f"formulas.md has other access classes than the code: {sorted(code ^ shown)}"


# --- versions -----------------------------------------------------------------


def wrong_changelog():
    version = re.search(r"project\(\w+ VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    if f"## [{version.group(1)}]" not in (ROOT / "CHANGELOG.md").read_text():
        yield f"CHANGELOG.md has no section for version {version.group(1)} (CMakeLists.txt)"


# --- rules --------------------------------------------------------------------


def rule_pages():
    """Page -> text: each page includes the one beside the rule."""
    out = {}
    for path in sorted((ROOT / "rewriter" / "rules").glob("*.md")):
        name = "index.md" if path.name == "README.md" else path.name
        out[PAGES / "rules" / name] = (
            "<!-- written by utils/lib/make_reference.py -->\n"
            f"```{{include}} ../../../rewriter/rules/{path.name}\n```\n")
    index = PAGES / "rules" / "index.md"
    pages = "\n".join(sorted(p.stem for p in out if p != index))
    out[index] += f"\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"
    return out


BLOCKS = {"commands": commands, "policies": policies, "settings": settings, "names": names,
          "reasons": reasons, "runtime-reasons": runtime_reasons,
          "recorder-reasons": recorder_reasons, "schemas": schemas,
          "runtime-variables": runtime_variables, "operators": operators,
          "estimates": estimates}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True, type=Path, help="folder with the commands")
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    a.bin = a.bin.resolve()
    pages = rule_pages()
    for path in sorted(PAGES.glob("*.md")):
        pages[path] = BLOCK.sub(
            lambda m: m.group(1) + "\n" + BLOCKS[m.group(2)](a, m.group(3)) + "\n" + m.group(4),
            path.read_text())
    wrong = []
    for path, text in pages.items():
        if path.exists() and path.read_text() == text:
            continue
        if a.write:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        else:
            wrong.append(f"{path.relative_to(ROOT)} is not what the code says; run "
                         "utils/lib/make_reference.py --bin build/ci/bin --write")
    for path in sorted((PAGES / "rules").glob("*.md")):
        if path not in pages:
            wrong.append(f"{path.relative_to(ROOT)} is of a rule that is gone")
    for check in (wrong_reasons, wrong_documents, wrong_variables, wrong_classes,
                  wrong_changelog):
        wrong += check()
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
