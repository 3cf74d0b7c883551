"""Makes random trees that are valid OpenMP programs and end."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from fuzz_hooks.shapes import (Block, Call, Function, If, Jump, Label, Leaf,
                               Loop, Omp, OmpLoop, Recursion, Sections, Switch,
                               Tree, distributed, for_each, once, same)


class Maker:
    """mode: "seq" outside parallel regions, "team" where a whole team arrives,
    "one" where work must not be shared (tasks, single, ...), "plain" where no
    task may be scheduled (critical)."""

    def __init__(self, rng):
        self.rng = rng
        self.number = 0
        self.functions = []

    def fresh(self, prefix):
        self.number += 1
        return "%s%d" % (prefix, self.number)

    def cond(self, names):
        k, m = self.rng.randrange(1, 4), self.rng.randrange(2, 5)
        c = self.rng.randrange(0, 4)
        if names and self.rng.random() < 0.7:
            v = self.rng.choice(names)
            return ("(%s + %d) %% %d < %d" % (v, c, m, k),
                    lambda env: (env[v] + c) % m < k)
        return ("one + %d > %d" % (c, k), lambda env: 1 + c > k)

    def value(self, names):
        c = self.rng.randrange(0, 3)
        if names and self.rng.random() < 0.6:
            v = self.rng.choice(names)
            return ("%s + %d" % (v, c), lambda env: env[v] + c)
        return (str(c), lambda env: c)

    def leaf(self, names):
        v = self.value(names)
        k = self.rng.randrange(1, 1000)
        r = self.rng.random()
        if r < 0.5:
            return Leaf("add(%du * (unsigned)(%s));" % (k, v[0]))
        if r < 0.6:
            return Leaf("ADD_BOTH(%d, %s);" % (k, v[0]))
        if r < 0.7:
            return Leaf("add((unsigned)({ int t_ = %s; t_ * %d; }));"
                        % (v[0], k))
        return Leaf("add(%du);" % k)

    def body(self, mode, names, depth, parallel, loops=False):
        count = self.rng.choice([1, 1, 2, 3])
        kids = [self.stmt(mode, names, depth - 1, parallel, loops)
                for _ in range(count)]
        if count == 1 and self.rng.random() < 0.6:
            return kids[0] if not isinstance(kids[0], (Jump,)) else Block(kids)
        return Block(kids)

    def stmt(self, mode, names, depth, parallel, loops=False):
        r = self.rng.random()
        if depth <= 0:
            return self.leaf(names)
        if r < 0.15:
            return self.leaf(names)
        if r < 0.40:
            return self.plain(mode, names, depth, parallel, loops)
        if mode == "plain":
            return self.leaf(names)
        return self.directive(mode, names, depth, parallel)

    def plain(self, mode, names, depth, parallel, loops):
        """A C statement around further statements."""
        r = self.rng.randrange(8)
        if r < 2:
            other = (self.body(mode, names, depth, parallel, loops)
                     if self.rng.random() < 0.5 else None)
            return If(self.cond(names),
                      self.body(mode, names, depth, parallel, loops), other)
        if r < 4:
            v = self.fresh("i")
            how = self.rng.choice(["for", "while", "do"])
            return Loop(how, v, self.rng.randrange(1, 4),
                        self.body(mode, names + [v], depth, parallel, True))
        if r == 4:
            arms = [self.body(mode, names, depth, parallel)
                    for _ in range(self.rng.randrange(2, 4))]
            return Switch(self.value(names), arms)
        if r == 5 and mode != "plain":
            return Label(self.fresh("here"),
                         self.body(mode, names, depth, parallel, loops))
        if r == 6 and loops:
            return Block([Jump(self.cond(names),
                               self.rng.choice(["break", "continue"])),
                          self.stmt(mode, names, depth - 1, parallel, loops)])
        fs = [f for f, m in self.functions
              if m == mode or (m == "one" and mode in ("team", "seq"))]
        if fs and mode != "plain":
            f = self.rng.choice(fs)
            if isinstance(f, Tree):
                return Recursion(f, self.rng.randrange(1, 3))
            return Call(f, self.value(names))
        return self.leaf(names)

    def directive(self, mode, names, depth, parallel):
        r = self.rng
        choices = ["taskwait", "taskwait", "taskgroup", "task", "task",
                   "taskloop", "critical", "taskyield"]
        if parallel < 2:
            choices += ["parallel", "parallel for", "parallel sections",
                        "parallel masked"]
            if parallel == 0:
                choices += ["parallel", "parallel", "parallel for"] * 2
        if mode == "team":
            choices += ["for", "for", "for", "sections", "single", "single",
                        "master", "barrier", "barrier", "scope", "loop",
                        "masked taskloop", "ordered", "cancellation"]
        if mode == "seq":
            # libomp loses state once a nested team is cancelled.
            choices += ["for", "single", "barrier", "sections", "cancelled"]
        return getattr(self, "make_" + r.choice(choices).replace(" ", "_"))(
            mode, names, depth, parallel)

    # Each make_* returns a node.

    def nowait(self):
        return self.rng.random() < 0.3

    def clauses(self, *groups):
        return "".join(" " + c for c in (self.rng.choice(g) for g in groups)
                       if c)

    def make_taskwait(self, mode, names, depth, parallel):
        depend = self.clauses(["", "", "depend(in: dep[0])",
                               "depend(inout: dep[1]) depend(in: dep[0])"])
        return Omp("taskwait" + depend, "taskwait")

    def make_taskyield(self, *_):
        return Omp("taskyield")

    def make_taskgroup(self, mode, names, depth, parallel):
        return Omp("taskgroup", "taskgroup",
                   self.body("one", names, depth, parallel), same,
                   ["taskgroup"])

    def make_task(self, mode, names, depth, parallel):
        text = "task" + self.clauses(
            ["", "", "if(one)", "if(one - 1)", "final(one)", "mergeable",
             "untied", "priority(1)"],
            ["", "", "depend(out: dep[0])", "depend(in: dep[0], dep[1])",
             "depend(inout: dep[1])"])
        return Omp(text, None, self.body("one", names, depth, parallel), same,
                   ["task"])

    def make_taskloop(self, mode, names, depth, parallel):
        v, trip = self.fresh("i"), self.rng.randrange(0, 5)
        simd = self.rng.random() < 0.15
        nogroup = not simd and self.nowait()
        text = ("taskloop" + (" simd" if simd else "")
                + self.clauses(["", "grainsize(2)", "num_tasks(3)",
                                "grainsize(1) untied"])
                + (" nogroup" if nogroup else ""))
        body = (Block([self.leaf([])]) if simd else
                self.body("one", names + [v], depth, parallel))
        if simd:
            body = Leaf("tally[%s] = %s;" % (v, v))
        return OmpLoop(text, v, trip, None if nogroup else "taskloop", body,
                       for_each(v, trip), ["taskloop"],
                       down=self.rng.random() < 0.2)

    def make_critical(self, mode, names, depth, parallel):
        return Omp("critical (%s)" % self.fresh("lock"), None,
                   self.body("plain", names, min(depth, 2), parallel), same,
                   ["critical"])

    def make_barrier(self, *_):
        return Omp("barrier", "barrier")

    def make_for(self, mode, names, depth, parallel):
        v, trip = self.fresh("i"), self.rng.randrange(0, 6)
        if self.rng.random() < 0.15:
            text, body = "for simd", Leaf("tally[%s] = %s;" % (v, v))
        else:
            text, body = "for", self.body("one", names + [v], depth, parallel)
            text += self.clauses(["", "", "schedule(static)",
                                  "schedule(static, 1)", "schedule(dynamic)",
                                  "schedule(guided, 2)", "schedule(runtime)",
                                  "schedule(auto)"])
        nowait = self.nowait()
        if nowait:
            text += " nowait"
        return OmpLoop(text, v, trip, None if nowait else "for", body,
                       distributed(v, trip), ["for"],
                       down=self.rng.random() < 0.2)

    def make_ordered(self, mode, names, depth, parallel):
        v, trip = self.fresh("i"), self.rng.randrange(1, 5)
        inside = Block([Omp("ordered", None, self.leaf(names + [v]), same),
                        self.leaf(names + [v])])
        return OmpLoop("for ordered" + self.clauses(["", "schedule(dynamic)"]),
                       v, trip, "for", inside, distributed(v, trip), ["for"])

    def make_loop(self, mode, names, depth, parallel):
        v, trip = self.fresh("i"), self.rng.randrange(1, 6)
        return OmpLoop("loop bind(parallel)", v, trip, "for",
                       Leaf("tally[%s] = %s;" % (v, v)),
                       distributed(v, trip), ["for"])

    def make_sections(self, mode, names, depth, parallel):
        nowait = self.nowait()
        omp = Omp("sections" + (" nowait" if nowait else ""),
                  None if nowait else "sections", names=["section"])
        kids = [self.body("one", names, depth, parallel)
                for _ in range(self.rng.randrange(1, 4))]
        return Sections(omp, kids, self.rng.random() < 0.5)

    def make_single(self, mode, names, depth, parallel):
        nowait = self.nowait()
        text = "single" + (" nowait" if nowait else "")
        return Omp(text, None if nowait else "single",
                   self.body("one", names, depth, parallel), once, ["single"])

    def make_scope(self, mode, names, depth, parallel):
        nowait = self.nowait()
        # Every thread executes a scope, but here it shares no further work.
        return Omp("scope" + (" nowait" if nowait else ""),
                   None if nowait else "scope",
                   self.body("one", names, depth, parallel), same, ["scope"])

    def make_master(self, mode, names, depth, parallel):
        return Omp(self.rng.choice(["master", "masked"]), None,
                   self.body("one", names, depth, parallel), once, ["master"])

    def make_masked_taskloop(self, mode, names, depth, parallel):
        v, trip = self.fresh("i"), self.rng.randrange(1, 4)
        # Not `masked`: clang 19 does not execute `masked taskloop`.
        return OmpLoop("master taskloop", v, trip, "taskloop",
                       self.body("one", names + [v], depth, parallel),
                       for_each(v, trip, lambda n, team: n // team),
                       ["taskloop"])

    def make_cancellation(self, mode, names, depth, parallel):
        """Cancellation that does not happen, in a loop that permits it."""
        v, trip = self.fresh("i"), self.rng.randrange(1, 5)
        text = self.rng.choice(["cancellation point for",
                                "cancel for if(one - 1)"])
        point = Omp(text, "cancel")
        return OmpLoop("for", v, trip, "for",
                       Block([self.leaf(names + [v]), point,
                              self.leaf(names + [v])]),
                       distributed(v, trip), ["for"])

    def sized(self, parallel):
        """A clause, and the size of the team that results."""
        k = self.rng.randrange(6)
        n = self.rng.randrange(1, 3 if parallel else 5)
        if k == 0:
            return " if(one - 1)", lambda w: 1
        if k < 4 and not parallel:
            return "", lambda w: w.threads
        return " num_threads(%d)" % n, lambda w: n

    def make_parallel(self, mode, names, depth, parallel):
        clause, size = self.sized(parallel)

        def runs(w, node, env, n, team):
            node.body.run(w, env, n * size(w), size(w))
        return Omp("parallel" + clause + self.clauses(
            ["", "", "proc_bind(close)", "default(shared)"]), "parallel",
            self.body("team", names, depth, parallel + 1), runs, ["parallel"])

    def make_cancelled(self, mode, names, depth, parallel):
        """A team whose threads all cancel it. Without tasks: those of a team that is
        being cancelled are discarded."""
        alive = self.stmt("plain", names, 2, 2)
        point = Omp("cancel parallel", "cancel", hooks=lambda n: 0)
        dead = self.stmt("one", names, 2, 2)
        threads = self.rng.randrange(2, 4)

        class Cancelled(Block):
            def run(self, w, env, n, team):
                alive.run(w, env, n, None)

        def runs(w, node, env, n, team):
            node.body.run(w, env, n * threads, threads)
        return Omp("parallel num_threads(%d)" % threads, "parallel",
                   Cancelled([alive, point, dead]), runs, ["parallel"])

    def make_parallel_for(self, mode, names, depth, parallel):
        clause, size = self.sized(parallel)
        v, trip = self.fresh("i"), self.rng.randrange(0, 6)
        text = "parallel for"
        if self.rng.random() < 0.2:
            text, body = text + " simd", Leaf("tally[%s] = %s;" % (v, v))
            clause = ""
        else:
            body = self.body("one", names + [v], depth, parallel + 1)
            clause += self.clauses(["", "schedule(static)",
                                    "schedule(dynamic, 2)",
                                    "schedule(guided)"],
                                   ["", "", "private(unused)",
                                    "firstprivate(one)",
                                    "reduction(+: spare)",
                                    "lastprivate(last)"])
        return OmpLoop(text + clause, v, trip, "parallel", body,
                       for_each(v, trip), ["parallel"],
                       down=self.rng.random() < 0.2)

    def make_parallel_sections(self, mode, names, depth, parallel):
        omp = Omp("parallel sections" + self.sized(parallel)[0], "parallel",
                  names=["parallel sections"])
        kids = [self.body("one", names, depth, parallel + 1)
                for _ in range(self.rng.randrange(1, 4))]
        return Sections(omp, kids, self.rng.random() < 0.5)

    def make_parallel_masked(self, mode, names, depth, parallel):
        clause, _ = self.sized(parallel)
        if self.rng.random() < 0.5:
            return Omp(self.rng.choice(["parallel masked", "parallel master"])
                       + clause, "parallel",
                       self.body("one", names, depth, parallel + 1), same,
                       ["parallel masked"])
        v, trip = self.fresh("i"), self.rng.randrange(1, 4)
        return OmpLoop("parallel master taskloop" + clause, v, trip,
                       "parallel",
                       self.body("one", names + [v], depth, parallel + 1),
                       for_each(v, trip), ["taskloop"])

    def program(self):
        for _ in range(self.rng.randrange(2, 5)):
            mode = self.rng.choice(["team", "team", "one", "one", "seq"])
            kids = [self.stmt(mode, ["n"], 4, 0 if mode == "seq" else 1)
                    for _ in range(self.rng.randrange(1, 4))]
            if self.rng.random() < 0.4:
                kids.insert(self.rng.randrange(len(kids) + 1),
                            Jump(self.cond(["n"]), "return"))
            f = Function(self.fresh("f"), Block(kids),
                         self.rng.random() < 0.5)
            self.functions.append((f, mode))
        if self.rng.random() < 0.5:
            self.functions.append(
                (Tree(self.fresh("tree"), self.rng.randrange(1, 3)), "one"))
        kids = [self.stmt("seq", [], 5, 0)
                for _ in range(self.rng.randrange(2, 6))]
        kids += [self.make_parallel("seq", [], 4, 0)]
        return [f for f, _ in self.functions], Block(kids)
