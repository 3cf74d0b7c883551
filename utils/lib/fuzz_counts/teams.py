# teams.py - random kernels' OpenMP constructs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates work-shared loops, collapsed triangles, sections, taskloops and tasks, and
nested teams. Loop bounds do not change while a team runs, so threads do not race.
"""
from fuzz_counts.trees import Node, Value


class Teams:
    """The methods of forms.Drawing for this."""

    def team(self, scope, rounds):
        """A work-shared loop, or a team that contains some."""
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
        if pick < 0.06:
            return self.dealt_out(self.ordered, scope, rounds, schedule, clause)
        if pick < 0.5 or self.depth:
            return self.dealt_out(self.simple, scope, rounds, schedule, clause)
        if pick < 0.6:
            return self.dealt_out(self.both, scope, rounds, schedule, clause)
        if pick < 0.66:
            self.depth += 1
            inside = [Node("section", {}, self.block(scope, rounds) or
                           [self.access(scope, rounds)])
                      for _ in range(self.draw.choice((2, 2, 3)))]
            self.depth -= 1
            return [Node("sections", {"clause": clause}, inside)]
        if pick < 0.8:
            inside = []
            for _ in range(self.draw.choice((1, 2))):
                every = self.chance(0.2)  # thread does all of it
                more = self.draw.choice(("", "", " nowait",
                                         " reduction(max : top)"))
                inside += self.loop(scope, rounds, True, "" if every else
                                    "for" + schedule + more)
                if "top" in more and not every:
                    inside[-1].inside.append(Node("top", {
                        "array": self.array().name, "name": self.name("t"),
                        "index": self.index(scope, rounds).text}))
            if self.chance(0.3):
                fields, t = self.header(scope, True)
                fields.update(pragma="", style="for")
                inside = [Node("loop", fields, inside)]
            return [Node("parallel", {"clause": clause}, inside)]
        if pick < 0.87:
            loop, = self.loop(scope, rounds, True, "taskloop")
            more = self.draw.choice(
                ("", "", " grainsize(2)", " grainsize(k)", " num_tasks(3)"))
            f = loop.fields
            # Without iterations, runtimes create such tasks for ever.
            if more and f["type"] in ("int", "long"):
                f["pragma"] += more
                loop = Node("if", {"test": f"({f['start']})" + f["test"][
                    len(f["counter"]):]}, [loop])
            return [Node("parallel", {"clause": clause}, [
                Node("single", {}, [loop])])]
        fields, t = self.header(scope, True)
        fields.update(pragma="", style="for")
        self.depth += 1
        task = Node("task", {}, self.block([*scope, t], rounds | {t.text}))
        self.depth -= 1
        return [Node("parallel", {"clause": clause}, [
            Node("single", {}, [Node("loop", fields, [task])])])]

    def dealt_out(self, form, scope, rounds, schedule, clause):
        """A loop shared among a team. If it has num_threads, the optimiser may remove
        the team and leave the number of threads to the next one, unless the team
        reads a volatile variable."""
        if "num_threads" not in clause:
            return form(scope, rounds, "parallel for", schedule + clause)
        return [Node("parallel", {"clause": clause}, [
            Node("text", {"text": "sink;"}),
            *form(scope, rounds, "for", schedule)])]

    def simple(self, scope, rounds, pragma, clauses):
        if pragma != "parallel for" or self.depth or not self.chance(0.1):
            return self.loop(scope, rounds, True, pragma + clauses)
        self.depth += 1 # it must not contain a construct
        # Clang 19 crashes if the condition applies to both constructs.
        out = self.loop(scope, rounds, True, pragma + " simd" + clauses.replace(
            " if (", " if (parallel : "))
        self.depth -= 1
        return out

    def ordered(self, scope, rounds, pragma, clauses):
        """Iterations with a part that runs in order."""
        loop, = self.loop(scope, rounds, True, pragma + " ordered" + clauses)
        at = self.draw.randrange(len(loop.inside))
        # Code that leaves the iteration, or sets a size, is not moved.
        if loop.inside[at].kind in ("read", "write", "update", "grid"):
            loop.inside[at] = Node("ordered", {}, [loop.inside[at]])
        return [loop]

    def both(self, scope, rounds, pragma, clauses):
        """Two collapsed loops."""
        outer, i = self.header(scope, True)
        if self.chance(0.3):
            outer, i, inner, j = self.slanted(scope)
        else:
            inner, j = self.header(scope, True)
        outer.update(pragma=pragma + " collapse(2)" + clauses, style="for")
        inner.update(pragma="", style="for")
        self.depth += 2
        inside = self.block([*scope, i, j], rounds | {i.text, j.text})
        self.depth -= 2
        return [Node("loop", outer, [Node("loop", inner, inside)])]

    def slanted(self, scope):
        """Two loops, where a bound of the inner one depends on the outer one and is
        never below the start: Clang computes their trip counts without a check."""
        i, j = self.name("i"), self.name("i")
        some = [v for v in scope if -64 <= v.low and v.high <= 64]
        first, last = self.draw.choice((0, 0, 2)), self.draw.choice(some)
        t = self.draw.choice(("int", "long"))
        low, high = min(first, last.low), max(first, last.high)
        to = f"({t}){last.text}"
        start, end = self.draw.choice((
            ("0", i), ("0", f"{i} + 1"), ("0", f"2 * {i}"), ("1", f"{i} + 3"),
            ("0", f"{i} + ({t})k"), (i, to), (f"{i} + 1", to),
            (i, f"2 * {i}"), (i, f"{i} + ({t})k")))
        return {"type": t, "counter": i, "start": str(first), "test":
                f"{i} < {to}", "next": f"{i}++"}, Value(i, low, high), \
            {"type": t, "counter": j, "start": start, "test":
             f"{j} < {end}", "next": f"{j}++"}, \
            Value(j, 2 * min(0, low), 2 * high + 6)
