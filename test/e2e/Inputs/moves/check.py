# check.py phases RUN COUNT | limit RUN | objects RUN | children RUN |
#          loop STAY INITIAL MOVES BOTH
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import statistics
import sys


def share(period):
    return period["fast_touched"] / period["touched"]


def phases(run, count):
    """Each phase but the first makes fast memory the wrong one, and at most two
    periods later most touches are in fast memory again."""
    (process,) = run["moves"]["processes"]
    # The last one may see blocks freed, one with a change sees both blocks.
    usual = statistics.median(p["touched"] for p in process["periods"])
    periods = [p for p in process["periods"] if p["touched"] > usual / 4]
    shares = [share(p) for p in periods]
    most = 0.65
    changes = [i for i in range(1, len(shares)) if shares[i] < most <= shares[i - 1]]
    assert len(changes) == count - 1, (count, shares)
    for i in changes:
        assert max(shares[i + 1 : i + 3]) >= most, (i, shares)
    moved = run["moves"]["up_bytes"]
    assert moved >= (count - 1) * (16 << 20), moved


def limit(run):
    moves = run["moves"]
    assert moves["overhead"] <= moves["overhead_limit"] * 1.25, moves["overhead"]
    for process in moves["processes"]:
        for p in process["periods"]:
            assert p["fast_bytes"] <= moves["fast_bytes"], p


def objects(run):
    """What objects moved is what moved."""
    moves = run["moves"]
    assert sum(o["up_bytes"] for o in moves["objects"]) == moves["up_bytes"]
    assert sum(o["down_bytes"] for o in moves["objects"]) == moves["down_bytes"]


def children(run):
    """The child, which shares its parent's blocks, and the parent have figures."""
    limit(run)
    assert len(run["moves"]["processes"]) == 2, len(run["moves"]["processes"])
    assert all(p["periods"] for p in run["moves"]["processes"])


def touches(path):
    with open(path) as f:
        moves = json.load(f)["moves"]
    return moves["fast_touched"] / moves["touched"], moves["up_bytes"]


def loop(stay, initial, moves, both):
    """No fixed place is right for both halves of loop.c, and first touch is the
    worst one."""
    shares = [touches(path)[0] for path in (stay, initial, moves, both)]
    assert shares[0] < 0.2 and 0.6 < shares[1] < 0.9, shares
    assert min(shares[2:]) > max(0.85, shares[1]), shares
    assert touches(stay)[1] == touches(initial)[1] == 0
    assert touches(both)[1] >= 8 << 20


if sys.argv[1] == "loop":
    loop(*sys.argv[2:])
    sys.exit()
with open(sys.argv[2]) as f:
    RUN = json.load(f)
if sys.argv[1] == "phases":
    phases(RUN, int(sys.argv[3]))
else:
    {"limit": limit, "objects": objects, "children": children}[sys.argv[1]](RUN)
