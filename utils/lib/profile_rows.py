# profile_rows.py - rows of a profile by task, including shared rows
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: profiles/format/profile/SharedRows.h.
# Makes: tasks and what they have of a table, for scripts that open a profile.
import sqlite3


def _likes(db):
    """For each task, by row: the task whose rows it shares (or None), and its phase."""
    (schema,) = db.execute("select value from meta where key = 'schema'").fetchone()
    shared = dict(db.execute('select phase, "as" from shared')) if schema.endswith("/2") else {}
    held = dict(db.execute('select "row", phase from task'))
    (phases,) = db.execute("select count(*) from phase").fetchone()
    first, likes = [0], []
    for phase in range(phases):
        if phase in shared:
            of = range(first[shared[phase]], first[shared[phase] + 1])
            likes += [(like, phase) for like in of]
        while held.get(len(likes)) == phase:
            likes.append((None, phase))
        first.append(len(likes))
    return likes


def tasks_of(db, columns):
    """A tuple of \\p columns for each task, by row; column "phase" is its own."""
    names = columns.split(", ")
    held = {row: rest for row, *rest in db.execute(f'select "row", {columns} from task')}
    tasks = []
    for row, (like, phase) in enumerate(_likes(db)):
        values = held[row] if row in held else tasks[like]
        tasks.append(tuple(phase if name == "phase" else value
                           for name, value in zip(names, values)))
    return tasks


def of_table(db, table, keys, figures):
    """By task: a dictionary from \\p keys of \\p table to its \\p figures. Rows
    without a task are under None."""
    many = len(keys.split(","))
    held, free = {}, {}
    likes = _likes(db)
    for task, *rest in db.execute(f"select task, {keys}, {figures} from {table}"):
        into = held.setdefault(task, {}) if task < len(likes) else free
        into[tuple(rest[:many])] = tuple(rest[many:])
    rows = []
    for row, (like, _) in enumerate(likes):
        own = held.get(row, {})
        # A row that only the other task has is stored with all figures 0.
        rows.append(own if like is None else
                    {k: v for k, v in {**rows[like], **own}.items() if any(v)})
    return dict(enumerate(rows)) | {None: free}


def of_tasks(path):
    """By task: phase, region, core cycles, weight of its misses."""
    with sqlite3.connect(path) as db:
        misses = of_table(db, "miss", "inst, chunk", "weight")
        return [(*task, sum(w for (w,) in misses[row].values()))
                for row, task in enumerate(tasks_of(db, "phase, region, core_cycles"))]
