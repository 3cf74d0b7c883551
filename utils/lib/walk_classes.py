# walk_classes.py - which access class a measured walk supports
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes by measurement alone.

A walk is what runtime/record/files/Walks.h writes of one access on one site: pairs
of successive executions by one task, with the distance between the two
addresses and what the later address depended on. The rule, of a walk with
pairs:

    invariant  9 of 10 pairs stay at their address
    chase      of the pairs that move, half or more do so behind a chain of
               loads that grew
    gather     else: of those, half or more do so behind a load that brought
               another value, and the distances are not regular
    regular    else: the four most frequent distances make up 9 of 10 pairs
               that move (inner loop, and the jumps of outer ones), or that
               many move by a line at most
    scatter    else: none of these

The measured class is invariant, chase, random (gather, scatter), or, where it
is regular, stream (the most frequent distance is the access' size, or most
stay within a line) or strided. A class claimed agrees if

    invariant        the walk is invariant
    chase            the walk is a chase
    random           it is random; or regular, but behind loads that brought
                     other values: an index that happens to be regular on this
                     input. Those are counted apart
    stream, strided, it is regular (a chain of loads may come along), and the
    stencil          claimed stride, where there is one, is one of the frequent
                     distances, or most stay within a line

Strictly, it agrees if it is the measured class: a random walk that happens to
be regular does not, nor does anything but invariant where most pairs stay. A
random one with a stride (its indices are even, says the analysis) is held to
that stride.

A stencil's points are loads that move alike; those that stay in registers
cannot be measured, so it is held to its stride only. unknown never agrees.
A walk without pairs (each task comes by once) says nothing.
"""

FEW, MOST, HALF = 4, 0.9, 0.5


def moves(walk):
    """Pairs that move, and their distances, most frequent first."""
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
    # One load may go round the points of a stencil.
    few = FEW + (walk["claim"].get("points") or 0)
    return is_near(walk) or \
        sum(n for _, n in deltas[:few]) >= MOST * moving


def measured(walk):
    """The class that the measurement supports; None: it says nothing."""
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
    """Whether it is regular, and the claimed stride, if any, is frequent."""
    if not is_regular(walk):  # a chase may be, too: nodes in a row
        return False
    stride = walk["claim"].get("stride")
    _, deltas = moves(walk)
    return stride is None or is_near(walk) or \
        any(abs(delta) == abs(stride) for delta, _ in deltas[:FEW])


def agrees(walk):
    """Whether the claim holds: True, False, or None: nothing to hold it to."""
    name = walk["claim"]["class"]
    if name == "unknown":
        return False
    found = measured(walk)
    if found is None:
        return None
    if name == "invariant":
        return found == "invariant"
    if is_invariant(walk) and name != "chase":
        # Rarely moves; as it is claimed, when it does?
        return moves(walk)[0] == 0 or is_regular(walk) or name == "random"
    if name in ("chase", "random"):
        return found == name or name == "random" and is_lucky(walk)
    return takes_stride(walk)


def agrees_strictly(walk):
    """The same where nothing is made of what lies behind a load."""
    if not agrees(walk):
        return agrees(walk)
    name, found = walk["claim"]["class"], measured(walk)
    if name in ("stream", "strided", "stencil"):
        return found in ("stream", "strided")
    if name == "random" and walk["claim"].get("stride"):
        return takes_stride(walk)
    return found == name


def is_lucky(walk):
    """A gather whose index happens to be regular."""
    return walk["claim"]["class"] == "random" and \
        measured(walk) in ("stream", "strided") and is_behind_loads(walk)
