# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_schema.py SCHEMA.json DOCUMENT.json: whether a document has the fields
# that its schema describes. Knows the keywords of draft 2020-12 that the schemas
# of command outputs use; another keyword is an error, and so is a field that the
# schema does not describe.
import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "null": type(None),
         "boolean": bool}
IGNORED = {"$schema", "$id", "$defs", "title", "description"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def wrong(value, schema, at="$"):
    """The first place where \\p value does not conform, or None."""
    for key, want in schema.items():
        if key in IGNORED or (value is None and key in ("required", "properties", "items")):
            continue
        if key == "type":
            names = want if isinstance(want, list) else [want]
            if not any(is_type(value, n) for n in names):
                return f"{at} is not of type {want}"
        elif key == "const":
            if value != want:
                return f"{at} is not {want}"
        elif key == "enum":
            if value not in want:
                return f"{at} is none of {want}"
        elif key == "minimum":
            if value < want:
                return f"{at} is less than {want}"
        elif key == "required":
            for name in want:
                if name not in value:
                    return f"{at} has no {name}"
        elif key == "properties":
            for name, inner in value.items():
                if name not in want:
                    return f"{at}.{name} is not described"
                if found := wrong(inner, want[name], f"{at}.{name}"):
                    return found
        elif key == "additionalProperties":
            for name, inner in value.items():
                if found := wrong(inner, want, f"{at}.{name}"):
                    return found
        elif key == "items":
            for i, inner in enumerate(value):
                if found := wrong(inner, want, f"{at}[{i}]"):
                    return found
        else:
            return f"the schema has the unknown keyword {key}"
    return None


with open(sys.argv[1]) as s, open(sys.argv[2]) as d:
    sys.exit(wrong(json.load(d), json.load(s)))
