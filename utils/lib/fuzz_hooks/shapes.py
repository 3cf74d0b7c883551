"""The tree of a random OpenMP program: what it is made of, and how it runs."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

ONE_THREAD = {"single", "master", "masked", "critical", "section", "task",
              "taskloop", "parallel sections", "parallel master",
              "parallel masked"}


class Abrupt(Exception):
    """break, continue or return while the tree is walked."""


class TooLong(Exception):
    """The program would run too long; another one is made instead."""


class Directive:
    """A directive in the text: its place, and how often the statement after it
    runs."""

    def __init__(self, kind, form):
        self.kind, self.form = kind, form
        self.line = self.context = None
        self.count = 0


# --- The tree. run(env, n, team): n threads or tasks arrive in total; team is
# the size of the team if all of its threads arrive, else None. -------------

class Node:
    def run(self, w, env, n, team):
        pass


class Leaf(Node):
    def __init__(self, text):
        self.text = text

    def emit(self, e):
        e.line(self.text)


class Jump(Node):
    """`if (COND) break;` and similar statements; the same for all that arrive."""

    def __init__(self, cond, word):
        self.cond, self.word = cond, word

    def emit(self, e):
        text = self.word + (" " + e.value if self.word == "return" and e.value
                            else "") + ";"
        if e.rng.random() < 0.5:
            e.line("if (%s) %s" % (self.cond[0], text))
        else:
            e.line("if (%s)" % self.cond[0])
            e.line("  " + text)

    def run(self, w, env, n, team):
        if self.cond[1](env):
            raise Abrupt(self.word)


class Block(Node):
    def __init__(self, kids):
        self.kids = kids

    def emit(self, e):
        e.line("{")
        e.nested(lambda: [k.emit(e) for k in self.kids])
        e.line("}")

    def run(self, w, env, n, team):
        for k in self.kids:
            w.step()
            k.run(w, env, n, team)


class If(Node):
    def __init__(self, cond, then, other):
        self.cond, self.then, self.other = cond, then, other

    def emit(self, e):
        e.line("if (%s)" % self.cond[0] + e.comment())
        # An else belongs to the last if that has none.
        e.sub(Block([self.then]) if self.other else self.then)
        if self.other:
            e.line("else")
            e.sub(self.other)

    def run(self, w, env, n, team):
        side = self.then if self.cond[1](env) else self.other
        if side:
            side.run(w, env, n, team)


class Loop(Node):
    """A serial loop in one of three spellings."""

    def __init__(self, how, var, trip, body):
        self.how, self.var, self.trip, self.body = how, var, trip, body

    def emit(self, e):
        v, t = self.var, self.trip
        if self.how == "for":
            e.line("for (int %s = 0; %s < %d; %s++)" % (v, v, t, v))
            e.sub(self.body)
        elif self.how == "while":
            e.line("{")
            e.line("  int %s = -1;" % v)
            e.line("  while (++%s < %d)" % (v, t))
            e.sub(self.body)
            e.line("}")
        else:
            e.line("{")
            e.line("  int %s = 0;" % v)
            e.line("  do")
            e.sub(self.body)
            e.line("  while (++%s < %d);" % (v, t))
            e.line("}")

    def run(self, w, env, n, team):
        for i in range(max(self.trip, 1 if self.how == "do" else 0)):
            try:
                self.body.run(w, {**env, self.var: i}, n, team)
            except Abrupt as a:
                if str(a) == "return":
                    raise
                if str(a) == "break":
                    return


class Switch(Node):
    def __init__(self, value, arms):
        self.value, self.arms = value, arms

    def emit(self, e):
        e.line("switch (%s) {" % self.value[0])
        for i, arm in enumerate(self.arms):
            e.line("case %d:" % i if i + 1 < len(self.arms) else "default:")
            if e.c23_labels(arm):
                e.line("  ;")
            e.sub(arm)
            e.line("  break;")
        e.line("}")

    def run(self, w, env, n, team):
        i = self.value[1](env)
        arm = self.arms[i if 0 <= i < len(self.arms) - 1 else -1]
        arm.run(w, env, n, team)


class Label(Node):
    def __init__(self, name, stmt):
        self.name, self.stmt = name, stmt

    def emit(self, e):
        e.line("{")
        e.line("  goto %s;" % self.name)
        e.line("%s:" % self.name)
        if e.c23_labels(self.stmt):
            e.line("  ;")
        e.sub(self.stmt)
        e.line("}")

    def run(self, w, env, n, team):
        self.stmt.run(w, env, n, team)


class Call(Node):
    def __init__(self, function, arg):
        self.function, self.arg = function, arg

    def emit(self, e):
        call = "%s(%s)" % (self.function.name, self.arg[0])
        e.line("add((unsigned)%s);" % call if self.function.returns
               else call + ";")

    def run(self, w, env, n, team):
        value = self.arg[1](env)
        try:
            self.function.body.run(w, {"n": value}, n, team)
        except Abrupt:
            pass


class Recursion(Node):
    """A function that creates tasks of itself and waits for them."""

    def __init__(self, function, depth):
        self.function, self.depth = function, depth

    def emit(self, e):
        e.line("%s(%d);" % (self.function.name, self.depth))

    def run(self, w, env, n, team):
        self.function.tree(w, self.depth, n)


class Omp(Node):
    """A directive, with or without a statement."""

    def __init__(self, text, wait=None, body=None, runs=None, names=(),
                 hooks=None):
        self.text, self.body, self.names = text, body, tuple(names)
        self.wait = Directive(wait, None) if wait else None
        self.runs = runs  # (w, node, env, n, team): the body's executions
        self.hooks = hooks  # n -> number of times that the statement after it runs

    def emit(self, e):
        e.directive(self)
        if self.body:
            e.constructs.append(self.names)
            e.sub(self.body)
            e.constructs.pop()

    def run(self, w, env, n, team):
        if self.body:
            self.runs(w, self, env, n, team)
        if self.wait:
            self.wait.count += self.hooks(n) if self.hooks else n


def same(w, node, env, n, team):
    node.body.run(w, env, n, None)


def keep_team(w, node, env, n, team):
    node.body.run(w, env, n, team)


def once(w, node, env, n, team):
    node.body.run(w, env, n // team, None)


def distributed(var, trip):
    def runs(w, node, env, n, team):
        for i in range(trip):
            w.step()
            node.body.run(w, {**env, var: i}, n // team, None)
    return runs


def for_each(var, trip, share=lambda n, team: n):
    def runs(w, node, env, n, team):
        for i in range(trip):
            w.step()
            node.body.run(w, {**env, var: i}, share(n, team), None)
    return runs


class OmpLoop(Omp):
    """A directive that needs a canonical loop."""

    def __init__(self, text, var, trip, *args, down=False, **kw):
        super().__init__(text, *args, **kw)
        self.var, self.trip, self.down = var, trip, down

    def emit(self, e):
        e.directive(self)
        e.constructs.append(self.names)
        v, t = self.var, self.trip
        if self.down and t:
            e.line("for (int %s = %d; %s >= 0; %s--)" % (v, t - 1, v, v))
        else:
            # clang 19 removes teams without work, but the next team then gets
            # their num_threads.
            e.line("for (int %s = 0; %s < %s; %s++)" % (v, v, t or "zero", v))
        e.sub(self.body)
        e.constructs.pop()


class Sections(Node):
    def __init__(self, omp, kids, explicit_first):
        self.omp, self.kids, self.explicit = omp, kids, explicit_first

    def emit(self, e):
        e.directive(self.omp)
        e.constructs.append(self.omp.names)
        e.line("{")
        for i, k in enumerate(self.kids):
            if i or self.explicit:
                e.line("#pragma omp section")
            e.sub(k)
        e.line("}")
        e.constructs.pop()

    def run(self, w, env, n, team):
        combined = "parallel sections" in self.omp.names
        for k in self.kids:
            w.step()
            k.run(w, env, n if combined else n // team, None)
        if self.omp.wait:
            self.omp.wait.count += n


class Function:
    def __init__(self, name, body, returns):
        self.name, self.body, self.returns = name, body, returns

    def emit(self, e):
        e.function, e.value = self.name, "n + 1" if self.returns else ""
        e.line("static %s %s(int n)" % ("int" if self.returns else "void",
                                        self.name))
        e.line("{")
        e.line("  (void)n;")
        e.nested(lambda: [k.emit(e) for k in self.body.kids])
        if self.returns:
            e.line("  return n + 1;")
        e.line("}")


class Tree(Function):
    def __init__(self, name, kids):
        self.name, self.kids = name, kids
        self.returns = False
        self.spawn = [Omp("task firstprivate(n)", names=["task"])
                      for _ in range(kids)]
        self.wait = Omp("taskwait", "taskwait")

    def emit(self, e):
        e.function, e.value = self.name, ""
        e.line("static void %s(int n)" % self.name)
        e.line("{")
        e.line("  if (n <= 0) {")
        e.line("    add(7);")
        e.line("    return;")
        e.line("  }")
        for t in self.spawn:
            e.directive(t)
            e.line("  %s(n - 1);" % self.name)
        e.directive(self.wait)
        e.line("}")

    def tree(self, w, depth, n):
        w.step()
        if depth <= 0:
            return
        for _ in range(self.kids):
            self.tree(w, depth - 1, n)
        self.wait.wait.count += n
