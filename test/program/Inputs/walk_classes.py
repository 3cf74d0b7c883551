# walk_classes.py - the rule, on walks made by hand
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

sys.path.insert(0, sys.argv[1])
import walk_classes  # noqa: E402


def walk(claim, deltas, bytes_=8, fresh=0, grown=0, near=None, **more):
    pairs = sum(n for _, n in deltas) + more.pop("other", 0)
    if near is None:
        near = sum(n for d, n in deltas if 0 < abs(d) <= 64)
    name, _, stride = claim.partition(" ")
    claim = {"class": name, "element_bytes": bytes_}
    if stride:
        claim["stride"] = int(stride)
    return {"claim": claim, "times": pairs + 1, "pairs": pairs, "near": near,
            "fresh": fresh, "grown": grown, "deltas": deltas}


CASES = [  # walk, measured class, whether it agrees
    (walk("stream 8", [[8, 95], [800, 5]]), "stream", True),
    (walk("strided 8", [[8, 95]]), "stream", True),
    (walk("random", [[8, 95]]), "stream", False),
    (walk("random", [[8, 95]], fresh=95), "stream", True),
    (walk("strided 800", [[800, 87], [-7000, 10], [60, 3]]), "strided", True),
    (walk("strided 640", [[800, 87], [-7000, 10]]), "strided", False),
    (walk("strided", [[800, 87], [-7000, 10]]), "strided", True),
    (walk("stream 8", [[7, 1], [900, 1], [31, 1]], other=97, near=2), "random",
     False),
    (walk("random", [[7, 1], [900, 1]], other=97, fresh=99), "random", True),
    (walk("random", [[7, 1], [900, 1]], other=97, fresh=99, grown=97), "chase",
     False),
    (walk("chase", [[7, 1], [900, 1]], other=97, fresh=99, grown=97), "chase",
     True),
    (walk("chase", [[900, 1]], other=97, fresh=98), "random", False),
    (walk("invariant", [[0, 99], [8, 1]]), "invariant", True),
    (walk("invariant", [[0, 50], [8, 50]]), "stream", False),
    (walk("unknown", [[8, 99]]), "stream", False),
    (walk("stream 8", []), None, None),
]
for given, measured, agrees in CASES:
    found = walk_classes.measured(given), walk_classes.agrees(given)
    assert found == (measured, agrees), (given, found)
STRICT = [  # the same, where nothing is made of what lies behind a load
    (walk("random", [[8, 95]], fresh=95), False),
    (walk("random 8", [[8, 95], [96, 5]], fresh=95), True),
    (walk("random 80", [[8, 50], [800, 50]], near=50, fresh=95), False),
    (walk("random 8", [[7, 1], [900, 1]], other=97, fresh=99), False),
    (walk("random", [[7, 1], [900, 1]], other=97, fresh=99), True),
    (walk("random", [[0, 99], [8, 1]]), False),
    (walk("strided 8", [[8, 95]]), True),
    (walk("invariant", [[0, 99], [8, 1]]), True),
    (walk("stream 8", []), None),
]
for given, agrees in STRICT:
    assert walk_classes.agrees_strictly(given) == agrees, given
print(len(CASES), "cases")
