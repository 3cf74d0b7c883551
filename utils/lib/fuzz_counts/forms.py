# forms.py - random kernels, as trees
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws kernels: loops over narrow and wide counters, triangles, conditions
and choices, rounds that are left early, teams within teams, tasks, calls, sizes
that change on the way or lie below 0, indices by data, modulo, mask and cast.

A kernel is a tree of nodes that render turns into C; shrink takes it apart.
Every integer expression is drawn with the interval of its values, so that
loops end and indices stay inside arrays whatever the inputs are.

Leaves out: what is counted or compared.
"""
import dataclasses
import random

# Arguments of each kernel, with the interval of their values on all inputs.
PARAMETERS = {"n": (-9, 29), "m": (-9, 23), "k": (1, 6), "d": (-7, 5),
              "w": (-70000, 70000)}
INPUTS = [
    {"n": 13, "m": 7, "k": 3, "d": 2, "w": 300},
    {"n": 0, "m": 5, "k": 1, "d": 4, "w": 256},
    {"n": 24, "m": 17, "k": 4, "d": 0, "w": 65541},
    {"n": 1, "m": 0, "k": 6, "d": 5, "w": -3},
    {"n": 29, "m": 23, "k": 2, "d": 3, "w": 65536},
    {"n": -9, "m": 12, "k": 3, "d": -7, "w": -70000},
    {"n": 11, "m": -4, "k": 5, "d": -2, "w": 7},
]
# What kernels keep in a variable, a global one and a struct, and change.
KEPT = ("z0", "z1", "s->z2")
ROOM = 1 << 19  # elements of each array
MOST_ROUNDS = 400_000
WIDE = {"int": 31, "long": 63, "unsigned": 32, "size_t": 64}
NARROW = {"uint8_t": (0, 255), "int8_t": (-128, 127), "uint16_t": (0, 65535),
          "int16_t": (-32768, 32767)}
ELEMENTS = ["double", "long", "int", "float", "short", "int8_t"]


@dataclasses.dataclass
class Value:
    """An integer expression of C, and what it may be."""
    text: str
    low: int
    high: int

    def __add__(self, other):
        other = other if isinstance(other, Value) else constant(other)
        if other.text == "0":
            return self
        return Value(f"({self.text} + {other.text})", self.low + other.low,
                     self.high + other.high)

    def __mul__(self, other):
        other = other if isinstance(other, Value) else constant(other)
        if other.text == "1":
            return self
        ends = [a * b for a in (self.low, self.high)
                for b in (other.low, other.high)]
        return Value(f"{self.text} * {other.text}", min(ends), max(ends))


def constant(number):
    return Value(str(number), number, number)


@dataclasses.dataclass
class Node:
    """A statement: kind, its text fields, and the statements inside."""
    kind: str
    fields: dict
    inside: list = dataclasses.field(default_factory=list)

    def copy(self):
        return Node(self.kind, dict(self.fields),
                    [node.copy() for node in self.inside])


@dataclasses.dataclass
class Array:
    name: str
    element: str
    where: str  # heap, static, stack
    volatile: bool
    index: bool = False  # what others are indexed by


@dataclasses.dataclass
class Kernel:
    arrays: list
    body: list
    calls: int = 1  # times that main calls it, with its arguments permuted
    inline: bool = False
    shared: bool = False  # its struct is a global one

    def copy(self):
        return Kernel(list(self.arrays), [node.copy() for node in self.body],
                      self.calls, self.inline, self.shared)


class Drawing:
    """One kernel in the making."""

    def __init__(self, seed, forms):
        self.draw = random.Random(seed)
        self.forms = forms
        self.arrays, self.names = [], 0
        self.volatile = self.draw.random() < 0.6
        self.parallel = False  # inside a team
        self.deepest = self.draw.choice((1, 2, 2, 3))

    def chance(self, share):
        return self.draw.random() < share

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def array(self, index=False):
        """Mostly another one for each access: then its rows are that one's."""
        known = [a for a in self.arrays if not a.index]
        if known and not index and self.chance(0.25):
            return self.draw.choice(known)
        where = self.draw.choices(("heap", "static", "stack"), (90, 6, 4))[0]
        if where == "stack" and any(a.where == "stack" for a in self.arrays):
            where = "heap"
        element = "int" if index else "int8_t" if where == "stack" else \
            self.draw.choice(ELEMENTS)
        array = Array(f"a{len(self.arrays)}", element, where, self.volatile,
                      index)
        self.arrays.append(array)
        return array

    # -- expressions ------------------------------------------------------

    def size(self, scope):
        """What a program sizes its loops by: small, and may be below 0."""
        pick = self.draw.random()
        small = [v for v in scope if -64 <= v.low and v.high <= 64]
        if pick < 0.5 or not small:
            return self.draw.choice(small or [constant(7)])
        base = self.draw.choice(small)
        if pick < 0.6:
            return base + self.draw.choice((1, 2, 3, -1, -2))
        if pick < 0.65:
            by = self.draw.choice((2, 3))
            return Value(f"({base.text} / {by})", int(base.low / by),
                         int(base.high / by))
        if pick < 0.68:
            return self.part(base)
        other = self.draw.choice(small)
        if pick < 0.71:
            return Value(f"({self.condition(scope)} ? {base.text} : "
                         f"{other.text})", min(base.low, other.low),
                         max(base.high, other.high))
        if pick < 0.8:
            return Value(f"({base.text} - {other.text})", base.low - other.high,
                         base.high - other.low)
        if pick < 0.9:
            which = self.draw.choice(("MIN", "MAX"))
            of = min if which == "MIN" else max
            return Value(f"{which}({base.text}, {other.text})",
                         of(base.low, other.low), of(base.high, other.high))
        return constant(self.draw.choice((1, 3, 4, 8, 10)))

    def part(self, base):
        """Of a number what a shift, a remainder or the last bits leave."""
        by = self.draw.choice((1, 2, 3))
        pick = self.draw.random()
        if pick < 0.4:
            return Value(f"({base.text} >> {by})", base.low >> by,
                         base.high >> by)
        if pick < 0.8:
            return Value(f"({base.text} % {by + 2})", -by - 1, by + 1)
        return Value(f"({base.text} & {(1 << by + 1) - 1})", 0,
                     (1 << by + 1) - 1)

    def index(self, scope, rounds):
        """An index that moves with the rounds around it, never below 0."""
        moving = [v for v in scope if v.text in rounds]
        moving = self.draw.sample(moving, min(len(moving), self.draw.choice(
            (1, 1, 2, 3))))
        if all(v.low >= 0 for v in moving):
            moving = [Value(v.text.removeprefix("(long)"), v.low, v.high)
                      for v in moving]
        value = None
        for v in moving:
            term = v * self.draw.choice((1, 1, 1, 2, 3, 5))
            value = term if value is None else value + term
        if value is None:
            return constant(self.draw.randrange(8))
        pick = self.draw.random()
        if pick < 0.06:
            bits = self.draw.choice((1, 3, 7))
            value = Value(f"({value.text} & {bits})", 0, bits)
        elif pick < 0.1 and value.low >= 0:
            value = Value(f"{value.text} % k" if value.text.isalnum() else
                          f"({value.text}) % k", 0, PARAMETERS["k"][1])
        elif pick < 0.14:
            cast = self.draw.choice(("uint8_t", "uint16_t"))
            value = Value(f"({cast})({value.text})", *NARROW[cast])
        if value.low < 0:
            value = value + -value.low
        return value

    def condition(self, scope):
        ints = [v for v in scope if -70000 <= v.low and v.high <= 70000]
        a, b = self.draw.choice(ints), self.draw.choice(ints)
        pick = self.draw.random()
        if pick < 0.3:
            return f"{a.text} {self.draw.choice(('<', '<=', '>', '>='))} " \
                   f"{b.text if b is not a else self.draw.randrange(9)}"
        if pick < 0.5:
            return f"{a.text} {self.draw.choice(('==', '!='))} " \
                   f"{self.draw.choice((b.text, '0', '2', '5'))}"
        if pick < 0.7:
            by = self.draw.choice((2, 3, 4))
            return f"{a.text} % {by} {self.draw.choice(('==', '!='))} " \
                   f"{self.draw.randrange(by)}"
        if pick < 0.8:
            return f"({a.text} & {self.draw.choice((1, 2, 3, 4))})"
        parts = self.condition(scope), self.condition(scope)
        return self.draw.choice(("({} && {})", "({} || {})")).format(*parts)

    # -- statements -------------------------------------------------------

    def access(self, scope, rounds):
        kind = self.draw.choice(("read", "read", "write", "update"))
        if self.chance(0.06):
            return Node("choice", {
                "test": self.condition(scope), "array": self.array().name,
                "index": self.index(scope, rounds).text,
                "other": self.array().name,
                "place": self.index(scope, rounds).text})
        return Node(kind, {"array": self.array().name,
                           "index": self.index(scope, rounds).text})

    def header(self, scope, simple):
        """Fields of a loop, and its counter."""
        t = self.draw.choice(list(WIDE))
        v = self.name("i")
        pick = self.draw.random()
        if not simple and pick < 0.2 and "narrow" in self.forms:
            return self.narrow(scope, v)
        if simple and pick < 0.1 and "narrow" in self.forms:
            return self.dealt(scope, v)
        if not simple and pick < 0.25:
            return self.geometric(scope, v)
        if not simple and pick < 0.28:
            return self.emptied(scope, v)
        step = self.draw.choice((1, 1, 1, 1, 2, 3))
        if "step" in self.forms and not simple and self.chance(0.1):
            step = "k"
        start = constant(0) if self.chance(0.6) else self.size(scope)
        bound = self.size(scope)
        if t in ("unsigned", "size_t"):  # what is below 0 would be enormous
            start, bound = (Value(f"MAX(0, {x.text})", 0, max(0, x.high))
                            if x.low < 0 else x for x in (start, bound))
        low, high = min(start.low, bound.low), max(start.high, bound.high) + 6
        if self.chance(0.75):
            unsigned = t in ("unsigned", "size_t")
            to = f"({t}){bound.text}" if unsigned else bound.text
            return {"type": t, "counter": v, "start": start.text, "test":
                    f"{v} {self.draw.choice(('<', '<', '<', '<='))} {to}",
                    "next": f"{v}++" if step == 1 else f"{v} += {step}"}, \
                Value("(long)" * unsigned + v, low, high)
        if t in ("unsigned", "size_t"):
            t = "long"
        return {"type": t, "counter": v, "start": f"{bound.text} - 1",
                "test": f"{v} {self.draw.choice(('>=', '>'))} {start.text}",
                "next": f"{v}--" if step == 1 else f"{v} -= {step}"}, \
            Value(v, low - 7, high)

    def narrow(self, scope, v):
        t = self.draw.choice(list(NARROW))
        if t.endswith("16_t") and self.depth:
            t = t.replace("16", "8")
        low, high = NARROW[t]
        base = self.draw.choice([x for x in scope if x.text in PARAMETERS] or
                                [constant(9)])
        start = 0 if self.chance(0.6) else self.draw.choice((1, 5, high - 3))
        test = f"{v} != ({t}){base.text}"
        plus = f"{v}++"
        if self.chance(0.4):
            test, plus = f"{v} < ({t})({base.text} & 63)", f"{v} += 3"
        elif self.chance(0.3):
            test, plus = f"{v} != ({t}){base.text}", f"{v}--"
        return {"type": t, "counter": v, "start": str(start), "test": test,
                "next": plus}, Value(v, low, high)

    def dealt(self, scope, v):
        """A narrow counter as OpenMP allows it: it must not wrap around."""
        t = self.draw.choice(list(NARROW))
        if self.depth:
            t = t.replace("16", "8")
        high = NARROW[t][1]
        base = self.draw.choice([x for x in scope if x.text in PARAMETERS] or
                                [constant(9)])
        step = self.draw.choice((1, 1, 2))
        return {"type": t, "counter": v, "start": "0", "test":
                f"{v} < ({t}){base.text}", "next": f"{v} += {step}"}, \
            Value(v, 0, high + step)

    def geometric(self, scope, v):
        bound = self.size(scope)
        if self.chance(0.5):
            by = self.draw.choice((2, 2, 3, 4))
            up = f"{v} <<= 1" if by == 2 and self.chance(0.3) else \
                f"{v} *= {by}"
            start = self.draw.choice((1, 1, 2, 5))
            return {"type": "long", "counter": v, "start": str(start), "test":
                    f"{v} {self.draw.choice(('<', '<='))} {bound.text}",
                    "next": up}, Value(v, 1, by * max(start, bound.high))
        down = self.draw.choice(("/= 2", "/= 2", "/= 3", ">>= 1", ">>= 2"))
        return {"type": "long", "counter": v, "start": bound.text, "test":
                f"{v} > {self.draw.choice((0, 0, 1, 3))}",
                "next": f"{v} {down}"}, \
            Value(v, min(0, bound.low), max(0, bound.high))

    def emptied(self, scope, v):
        """A counter without a sign that comes down to 0 and wraps around."""
        bound = self.size(scope)
        t = self.draw.choice(("unsigned", "size_t", "uint8_t"))
        return {"type": t, "counter": v, "start": f"MAX(0, {bound.text})",
                "test": f"{v}-- > 0", "next": ""}, \
            Value("(long)" * (t != "uint8_t") + v, 0, max(0, bound.high))

    def loop(self, scope, rounds, simple=False, pragma=""):
        fields, counter = self.header(scope, simple)
        fields["pragma"] = pragma
        fields["style"] = "for" if simple or pragma else self.draw.choices(
            ("for", "while", "do"), (80, 12, 8))[0]
        self.depth += 1
        self.rounds *= counter.high - counter.low
        self.work = max(self.work, self.rounds)
        inside = self.block([*scope, counter], rounds | {counter.text})
        self.rounds //= counter.high - counter.low
        self.depth -= 1
        if not simple and not pragma and self.chance(0.08):
            inside.insert(self.draw.randrange(len(inside) + 1), Node(
                "break", {"test": self.condition([*scope, counter])}))
        elif fields["style"] == "for" and self.chance(0.05):
            inside.insert(self.draw.randrange(len(inside)), Node(
                "continue", {"test": self.condition([*scope, counter])}))
        return [Node("loop", fields, inside)]

    def team(self, scope, rounds):
        """A work-shared loop, or a team with such inside."""
        schedule = self.draw.choices(
            ("", " schedule(static)", " schedule(static, 2)",
             " schedule(static, k)", " schedule(dynamic)",
             " schedule(guided)"), (60, 10, 8, 6, 8, 4))[0]
        clause = f" if ({self.condition(scope)})" if self.chance(0.1) else ""
        if self.parallel:
            clause += " num_threads(2)"
        outer, self.parallel = self.parallel, True
        try:
            return self.team_inside(scope, rounds, schedule, clause)
        finally:
            self.parallel = outer

    def team_inside(self, scope, rounds, schedule, clause):
        pick = self.draw.random()
        if pick < 0.55 or self.depth:
            return self.loop(scope, rounds, True,
                             "parallel for" + schedule + clause)
        if pick < 0.65:
            return self.both(scope, rounds,
                             "parallel for collapse(2)" + schedule + clause)
        if pick < 0.8:
            inside = []
            for _ in range(self.draw.choice((1, 2))):
                every = self.chance(0.2)  # thread does all of it
                inside += self.loop(scope, rounds, True, "" if every else
                                    "for" + schedule)
            if self.chance(0.3):
                fields, t = self.header(scope, True)
                fields.update(pragma="", style="for")
                inside = [Node("loop", fields, inside)]
            return [Node("parallel", {"clause": clause}, inside)]
        if pick < 0.87:
            return [Node("parallel", {"clause": clause}, [
                Node("single", {}, self.loop(scope, rounds, True,
                                             "taskloop"))])]
        fields, t = self.header(scope, True)
        fields.update(pragma="", style="for")
        self.depth += 1
        task = Node("task", {}, self.block([*scope, t], rounds | {t.text}))
        self.depth -= 1
        return [Node("parallel", {"clause": clause}, [
            Node("single", {}, [Node("loop", fields, [task])])])]

    def both(self, scope, rounds, pragma):
        """Two loops dealt out as one."""
        outer, i = self.header(scope, True)
        inner, j = self.header(scope, True)
        outer.update(pragma=pragma, style="for")
        inner.update(pragma="", style="for")
        self.depth += 2
        inside = self.block([*scope, i, j], rounds | {i.text, j.text})
        self.depth -= 2
        return [Node("loop", outer, [Node("loop", inner, inside)])]

    def resize(self, scope):
        """A variable that sizes loops takes another value."""
        mine = [v for v in scope if v.text in KEPT]
        v = self.draw.choice(mine)
        return Node("set", {"to": v.text, "value": self.draw.choice((
            f"{v.text} / 2", "8", "k", f"MIN({v.text} + 1, 29)",
            f"MIN(MAX({v.text}, 0) * 2, 29)",
            f"{v.text} > 3 ? {v.text} - 3 : 5"))})

    def branch(self, scope, rounds):
        """Something that only some rounds do: by sizes, or by data."""
        inside = self.block(scope, rounds)
        if rounds and self.chance(0.3):
            return Node("when", {"array": self.array(index=True).name,
                                 "index": self.index(scope, rounds).text},
                        inside)
        return Node("if", {"test": self.condition(scope)}, inside)

    def rows(self, scope, rounds):
        """Rows in compressed form: filled, then gone through."""
        p, v, j, t = self.array(index=True), self.name("i"), self.name("j"), \
            self.name("t")
        last = self.draw.choice(("n", "m"))
        fill = Node("loop", {
            "type": "long", "counter": v, "start": "0", "test": f"{v} < {last}",
            "next": f"{v}++", "style": "for", "pragma": "", "before":
            f"long {t} = 0;"}, [
                Node("text", {"text": f"{t} += {v} * 7 % 5;"}),
                Node("store", {"array": p.name, "index": f"{v} + 1",
                               "value": t})])
        row = self.name("i")
        first = Value(row, 0, 29)
        inner = [*scope, first, Value(j, 0, 29 * 5)]
        body = self.block(inner, rounds | {row, j}) if self.chance(0.4) else \
            [self.access(inner, {j})]
        to = f"AT({p.name}, {row} + 1)"
        return [fill, Node("loop", {
            "type": "long", "counter": row, "start": "0",
            "test": f"{row} < {last}", "next": f"{row}++", "style": "for",
            "pragma": "" if self.parallel or self.chance(0.5)
            else "parallel for"}, [
                Node("limits", {"name": j, "array": p.name, "row": row}),
                Node("loop", {"type": "int", "counter": j, "start": f"{j}0",
                              "test": f"{j} < {j}1", "next": f"{j}++",
                              "style": "for", "pragma": ""}, body)]
            if self.chance(0.7) else [
                Node("loop", {"type": "int", "counter": j, "start":
                              f"AT({p.name}, {row})", "test": f"{j} < {to}",
                              "next": f"{j}++", "style": "for", "pragma": "",
                              "array": p.name}, body)])]

    def gather(self, scope, rounds):
        """Short runs that begin where data say."""
        p, x = self.array(index=True), self.array()
        v, j = self.name("i"), self.name("j")
        run = self.draw.choice(("2", "4", "k"))
        fill = Node("loop", {
            "type": "long", "counter": v, "start": "0", "test": f"{v} < n",
            "next": f"{v}++", "style": "for", "pragma": ""}, [
                Node("store", {"array": p.name, "index": v,
                               "value": f"{v} * 37 % 101"})])
        row, at = self.name("i"), self.name("t")
        return [fill, Node("loop", {
            "type": "long", "counter": row, "start": "0", "test": f"{row} < n",
            "next": f"{row}++", "style": "for",
            "pragma": "" if self.parallel or self.chance(0.5)
            else "parallel for"}, [
                Node("fetch", {"name": at, "array": p.name, "index": row}),
                Node("loop", {"type": "int", "counter": j, "start": "0",
                              "test": f"{j} < {run}", "next": f"{j}++",
                              "style": "for", "pragma": ""}, [
                    Node("read", {"array": x.name,
                                  "index": f"{run} * {at} + {j}"})])])]

    def call(self, scope, rounds):
        """A function of its own, called with what sizes loops here."""
        name = self.name("f")
        outer, self.depth = self.depth, 1
        parallel, self.parallel = self.parallel, True
        known = ("k", "w")
        inside = self.loop([Value("x", -64, 64), Value("y", -64, 64)] +
                           [Value(v, *PARAMETERS[v]) for v in known] +
                           [Value(v, -9, 29) for v in KEPT[1:]], set())
        self.depth, self.parallel = outer, parallel
        sizes = [self.size(scope) for _ in range(2)]
        return [Node("call", {"name": name, "x": sizes[0].text,
                              "y": sizes[1].text}, inside)]

    def block(self, scope, rounds):
        out = []
        for _ in range(self.draw.choice((1, 1, 2, 2, 3))):
            pick = self.draw.random()
            sized = [v for v in scope if v.text in KEPT]
            if rounds and (pick < 0.3 or self.depth >= self.deepest):
                out.append(self.access(scope, rounds))
                continue
            if pick < 0.55:
                out += self.loop(scope, rounds)
            elif pick < 0.65:
                if rounds or self.depth:
                    out.append(self.branch(scope, rounds))
                else:
                    out += self.loop(scope, rounds)
            elif pick < 0.78 and self.depth < 2:
                out += self.team(scope, rounds)
            elif pick < 0.85 and sized and not self.parallel:
                out.append(self.resize(scope))
            elif pick < 0.9 and self.depth < 2:
                out += self.call(scope, rounds)
            elif pick < 0.94 and self.depth < 1:
                out += self.rows(scope, rounds)
            elif pick < 0.97 and self.depth < 1:
                out += self.gather(scope, rounds)
            elif rounds:
                out.append(self.access(scope, rounds))
        if rounds and not out:
            out.append(self.access(scope, rounds))
        return out

    def kernel(self):
        self.depth, self.rounds, self.work = 0, 1, 1
        scope = [Value(name, *ends) for name, ends in PARAMETERS.items()]
        scope += [Value(name, -9, 29) for name in KEPT]
        body = []
        while not self.arrays:
            body += self.block(scope, set())
        return Kernel(self.arrays, body, self.draw.choice((1, 1, 1, 1, 2)),
                      self.chance(0.2), self.chance(0.5))


ALL = frozenset({"narrow", "step"})


def kernel(seed, number, forms=ALL):
    """The kernel of that number, the same one for a seed on every machine."""
    for attempt in range(100):
        drawing = Drawing(f"{seed}.{number}.{attempt}", forms)
        drawn = drawing.kernel()
        if drawing.work <= MOST_ROUNDS and len(drawn.arrays) <= 20:
            return drawn
    raise AssertionError("no kernel is short enough")
