# debian_files.py SOURCE TREE - installed files and the lists in debian/
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# TREE is installed with the libraries in lib; packages have them in lib/TRIPLET.
import fnmatch
import pathlib
import re
import sys

source, tree = map(pathlib.Path, sys.argv[1:])
debian = source / "debian"
lists = {p.stem: p.read_text().split() for p in sorted(debian.glob("*.install"))}
lists["not-installed"] = (debian / "not-installed").read_text().split()
used, files, wrong = set(), 0, []
for path in sorted(p for p in tree.rglob("*") if p.is_file() or p.is_symlink()):
    name = "usr/" + re.sub(r"^lib/", "lib/TRIPLET/", str(path.relative_to(tree)))
    # A list has files, and folders with all that is in them.
    places = [name, *(str(p) for p in pathlib.PurePath(name).parents)]
    found = [(package, pattern) for package, patterns in lists.items() for pattern in patterns
             if any(fnmatch.fnmatchcase(p, pattern) and p.count("/") == pattern.count("/") for p in places)]
    files += 1
    used.update(found)
    packages = {package for package, _ in found}
    if len(packages) != 1:
        wrong.append(f"{name} is in {sorted(packages) or 'no package'}")
for package, patterns in lists.items():
    wrong += [f"{package} lists {p}, which is not there" for p in patterns if (package, p) not in used]
print("\n".join(wrong))
packages = len({p for p, _ in used} - {"not-installed", "evenkeel-doc"})
print(f"{files} files in {packages} packages, none in two, none in none")
version = re.search(r"project\(\w+ VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text()).group(1)
changelog = re.match(r"evenkeel \((.*)-\d+\)", (debian / "changelog").read_text()).group(1)
if version != changelog:
    wrong.append(f"debian/changelog is of {changelog}, CMakeLists.txt of {version}")
    print(wrong[-1])
print(f"version {version}")
sys.exit(bool(wrong))
