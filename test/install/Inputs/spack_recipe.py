# spack_recipe.py SOURCE - the recipe for Spack, without a Spack
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import ast
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
recipe = source / "utils" / "spack" / "packages" / "evenkeel" / "package.py"
tree = ast.parse(recipe.read_text())
name = next(n.name for n in tree.body if isinstance(n, ast.ClassDef))
variants, set_by = set(), []
for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
    called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    words = [a.value for a in call.args if isinstance(a, ast.Constant)]
    if called == "variant":
        variants.add(words[0])
    elif called == "define":
        set_by.append(words[0])
    elif called == "define_from_variant":
        set_by.append(words[0])
        if words[1] not in variants:
            sys.exit(f"there is no variant {words[1]}")
known = set(re.findall(r"^option\((\w+)", (source / "CMakeLists.txt").read_text(), re.M))
missing = [o for o in set_by if o not in known]
if missing:
    sys.exit(f"CMakeLists.txt has no option {missing}")
print(f"{name.lower()}: {len(set_by)} options, all in CMakeLists.txt")
