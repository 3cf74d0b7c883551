# data.py - random kernels whose indices and bounds are data
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates rows in compressed form, gathers, tables of pointers, and pointers that
move. Index arrays are filled just before their use, so each run knows them.
"""
from fuzz_counts.trees import Array, Node, Value


class ByData:
    """The methods of forms.Drawing for this."""

    def rows(self, scope, rounds):
        """Rows in compressed form: filled, then read."""
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
        pragma = "" if self.parallel or self.chance(0.5) else "parallel for"
        outer = self.parallel, self.depth
        self.parallel, self.depth = self.parallel or bool(pragma), 2
        body = self.block(inner, rounds | {row, j}) if self.chance(0.4) else \
            [self.access(inner, {j})]
        self.parallel, self.depth = outer
        to = f"AT({p.name}, {row} + 1)"
        return [fill, Node("loop", {
            "type": "long", "counter": row, "start": "0",
            "test": f"{row} < {last}", "next": f"{row}++", "style": "for",
            "pragma": pragma}, [
                Node("limits", {"name": j, "array": p.name, "row": row}),
                Node("loop", {"type": "int", "counter": j, "start": f"{j}0",
                              "test": f"{j} < {j}1", "next": f"{j}++",
                              "style": "for", "pragma": ""}, body)]
            if self.chance(0.7) else [
                Node("loop", {"type": "int", "counter": j, "start":
                              f"AT({p.name}, {row})", "test": f"{j} < {to}",
                              "next": f"{j}++", "style": "for", "pragma": "",
                              "array": p.name}, body)])]

    def filled(self, value):
        """An index array, and the loop that fills it up to n."""
        p, v = self.array(index=True), self.name("i")
        return p, Node("loop", {
            "type": "long", "counter": v, "start": "0", "test": f"{v} < n",
            "next": f"{v}++", "style": "for", "pragma": ""}, [
                Node("store", {"array": p.name, "index": v,
                               "value": value.format(v)})])

    def over(self, row, inside):
        """A loop from 0 to n, perhaps shared among threads."""
        return Node("loop", {
            "type": "long", "counter": row, "start": "0", "test": f"{row} < n",
            "next": f"{row}++", "style": "for",
            "pragma": "" if self.parallel or self.chance(0.5)
            else "parallel for"}, inside)

    def gather(self, scope, rounds):
        """Short runs of elements whose starts, and perhaps lengths, are data."""
        run = self.draw.choice(("2", "4", "k"))
        row, at, j = self.name("i"), self.name("t"), self.name("j")
        p, fill = self.filled("{} * 37 % 101")
        out, where = [fill], row
        if self.chance(0.4):
            q, before = self.filled("{} * 5 % 31")
            out, where = [fill, before], f"AT({q.name}, {row})"
        x = self.array()
        return [*out, self.over(row, [
            Node("fetch", {"name": at, "array": p.name, "index": where}),
            Node("loop", {"type": "int", "counter": j, "start": "0",
                          "test": f"{j} < {run}", "next": f"{j}++",
                          "style": "for", "pragma": ""}, [
                Node("read", {"array": x.name,
                              "index": f"{run} * {at} + {j}"})])])]

    def table(self, scope, rounds):
        """Rows reached through an array of pointers."""
        x = self.array()
        rows = Array(f"a{len(self.arrays)}",
                     "volatile " * x.volatile + x.element + " *", "heap", False,
                     index=True)
        self.arrays.append(rows)
        v, row, j = self.name("i"), self.name("i"), self.name("j")
        wide = self.draw.choice(("4", "k", "(d & 7)"))
        return [
            Node("loop", {"type": "long", "counter": v, "start": "0", "test":
                          f"{v} < n", "next": f"{v}++", "style": "for",
                          "pragma": ""}, [
                Node("store", {"array": rows.name, "index": v, "value":
                               f"&PLACE({x.name}, {v} * {wide})"})]),
            self.over(row, [
                Node("loop", {"type": "int", "counter": j, "start": "0", "test":
                              f"{j} < {wide}", "next": f"{j}++",
                              "style": "for", "pragma": ""}, [
                    Node("through", {"array": x.name, "rows": rows.name, "row":
                                     row, "index": j})])])]

    def plane(self):
        """An array whose dimensions are known only at run time, traversed by rows, by
        columns or along a side."""
        names = "n", "m", "k"
        rows, width = (f"MAX(0, {self.draw.choice(names)}) + {more}"
                       for more in self.draw.sample((2, 3, 5), 2))
        x = Array(f"a{len(self.arrays)}", self.draw.choice(("double", "int")),
                  "stack", self.volatile, sides=(rows, width))
        self.arrays.append(x)
        t = self.draw.choice(("int", "long"))
        i, j = self.name("i"), self.name("i")
        to = {i: rows, j: width}
        pair = self.draw.choice(((i, j), (j, i)))
        more = self.draw.choice((0, 0, 1))
        place = f"[{i}{' + 1' * more}][{j}]"
        bounds = {i: f"{to[i]}{' - 1' * more}",
                  j: self.draw.choice((to[j], f"MIN({i} + 1, {to[j]})"))}
        if pair[0] == j:
            bounds[j] = to[j]
        inner, outer = ({
            "type": t, "counter": v, "start": "0", "test": f"{v} < {bounds[v]}",
            "next": f"{v}++", "style": "for", "pragma": ""}
            for v in reversed(pair))
        if not self.parallel and self.chance(0.5):
            outer["pragma"] = "parallel for" + self.draw.choice(
                ("", " schedule(static, 2)", " collapse(2)"
                 if i not in bounds[j] else ""))
        return [Node("loop", outer, [Node("loop", inner, [
            Node("cell", {"array": x.name, "place": place})])])]

    def advancing(self, fields, inside):
        """A loop in which a pointer moves in some of the iterations."""
        p = self.name("p")
        inside.insert(self.draw.randrange(len(inside) + 1), Node(
            "next", {"pointer": p, "array": self.array().name}))
        array = inside[[n.kind for n in inside].index("next")].fields["array"]
        return [Node("from", {"pointer": p, "array": array}, [
            Node("loop", fields, inside)])]

    def pointed(self, scope, rounds):
        """A loop from one pointer up or down to another."""
        p, x, bound = self.name("p"), self.array(), self.size(scope)
        first = self.draw.choice(("0", "3"))
        by = self.draw.choice(("1", "1", "2", "k"))
        down = by == "1" and self.chance(0.4)
        return [Node("pointed", {
            "pointer": p, "array": x.name, "first": first, "by": by,
            "bound": f"MAX({first}, {bound.text})", "down": down})]
