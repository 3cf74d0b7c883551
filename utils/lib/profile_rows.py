# profile_rows.py - rows of a profile by task, those that phases share as well
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: profiles/format/SharedRows.h.
# Makes: tasks and the weights of their misses, for scripts that open a profile.
import sqlite3


def of_tasks(path):
    """By task: phase, region, core cycles, weight of its misses."""
    with sqlite3.connect(path) as db:
        (schema,) = db.execute("select value from meta where key = 'schema'").fetchone()
        shared = dict(db.execute('select phase, "as" from shared')) if schema.endswith("/2") else {}
        held = {row: rest for row, *rest in
                db.execute('select "row", phase, region, core_cycles from task')}
        (phases,) = db.execute("select count(*) from phase").fetchone()
        weights = {}
        for task, inst, chunk, weight in db.execute("select task, inst, chunk, weight from miss"):
            weights.setdefault(task, {})[inst, chunk] = weight
    first, tasks = [0], []
    for phase in range(phases):
        if phase in shared:
            begin = first[shared[phase]]
            of = range(begin, first[shared[phase] + 1])
            for like in of:
                _, region, cycles, misses = tasks[like]
                n = len(tasks)
                _, region, cycles = held.get(n, (phase, region, cycles))
                tasks.append((phase, region, cycles, {**misses, **weights.get(n, {})}))
        while len(tasks) in held and held[len(tasks)][0] == phase:
            n = len(tasks)
            tasks.append((*held[n], weights.get(n, {})))
        first.append(len(tasks))
    return [(p, r, c, sum(m.values())) for p, r, c, m in tasks]
