# walk_classes.py - the access class of a measured walk
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes by measurement alone.

A walk is written by runtime/record/files/Walks.h for one access at one site: pairs
of successive executions by one task, with the distance between the two addresses
and the loads that the later address depended on. A walk with pairs is

    invariant  if 9 of 10 pairs stay at their address
    chase      if at least half of the pairs that move follow a longer chain of
               loads
    gather     else, if at least half of them follow a load with a new value, and
               the distances are not regular
    regular    else, if the four most frequent distances make up 9 of 10 pairs
               that move (an inner loop and the jumps of outer ones), or if that
               many move by at most a line
    scatter    else

The measured class is invariant, chase, random (gather, scatter) or, if regular,
stream (the most frequent distance is the size of the access, or most distances
are within a line) or strided. A claimed class agrees as follows:

    invariant        the walk is invariant
    chase            the walk is a chase
    random           it is random; or regular, but after loads with new values:
                     an index that happens to be regular on this input (counted
                     separately)
    stream, strided, it is regular (perhaps with a chain of loads), and the
    stencil          claimed stride, if any, is a frequent distance, or most
                     distances are within a line

In the strict sense, the measured class must be equal: a random walk that happens
to be regular does not agree, nor does any class but invariant if most pairs
stay. A random class with a stride (the analysis found even indices) is compared
by that stride.

The points of a stencil are loads that move alike; points in registers cannot be
measured, so only the stride is compared. unknown never agrees. A walk without
pairs (each task executes the access once) is not evidence.
"""

FEW, MOST, HALF = 4, 0.9, 0.5


def moves(walk):
    """The number of pairs that move, and their distances, most frequent first."""
    stay = sum(n for delta, n in walk["deltas"] if delta == 0)
    return walk["pairs"] - stay, [d for d in walk["deltas"] if d[0]]


def is_invariant(walk):
    return moves(walk)[0] <= (1 - MOST) * walk["pairs"]


def is_chase(walk):
    moving, _ = moves(walk)
    return moving and walk["grown"] >= HALF * moving


def is_behind_loads(walk):
    moving, _ = moves(walk)
    return moving and walk["fresh"] >= HALF * moving


def is_near(walk):
    return walk["near"] >= MOST * moves(walk)[0]


def is_regular(walk):
    moving, deltas = moves(walk)
    # One load may visit all points of the stencil.
    few = FEW + (walk["claim"].get("points") or 0)
    return is_near(walk) or \
        sum(n for _, n in deltas[:few]) >= MOST * moving


def measured(walk):
    """The measured class; None without evidence."""
    if not walk["pairs"]:
        return None
    if is_invariant(walk):
        return "invariant"
    if is_chase(walk):
        return "chase"
    if not is_regular(walk):
        return "random"
    _, deltas = moves(walk)
    bytes_ = walk["claim"]["element_bytes"]
    if is_near(walk) and (not deltas or abs(deltas[0][0]) <= bytes_) or \
            deltas and abs(deltas[0][0]) == bytes_:
        return "stream"
    return "strided"


def takes_stride(walk):
    """Whether the walk is regular, and the claimed stride, if any, is frequent."""
    if not is_regular(walk): # a chase may be regular, too: nodes in a row
        return False
    stride = walk["claim"].get("stride")
    _, deltas = moves(walk)
    return stride is None or is_near(walk) or \
        any(abs(delta) == abs(stride) for delta, _ in deltas[:FEW])


def agrees(walk):
    """Whether the claim is right: True, False, or None without evidence."""
    name = walk["claim"]["class"]
    if name == "unknown":
        return False
    found = measured(walk)
    if found is None:
        return None
    if name == "invariant":
        return found == "invariant"
    if is_invariant(walk) and name != "chase":
        # It rarely moves; does it move as claimed?
        return moves(walk)[0] == 0 or is_regular(walk) or name == "random"
    if name in ("chase", "random"):
        return found == name or name == "random" and is_lucky(walk)
    return takes_stride(walk)


def agrees_strictly(walk):
    """The same in the strict sense."""
    if not agrees(walk):
        return agrees(walk)
    name, found = walk["claim"]["class"], measured(walk)
    if name in ("stream", "strided", "stencil"):
        return found in ("stream", "strided")
    if name == "random" and walk["claim"].get("stride"):
        return takes_stride(walk)
    return found == name


def is_lucky(walk):
    """Whether it is a gather whose index happens to be regular."""
    return walk["claim"]["class"] == "random" and \
        measured(walk) in ("stream", "strided") and is_behind_loads(walk)
