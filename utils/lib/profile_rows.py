# profile_rows.py - rows of a profile by task, including shared and packed rows
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: profiles/format/profile/SharedRows.h and PackedColumn.h.
# Makes: tasks and what they have of a table, for scripts that open a profile.
import sqlite3
import struct


def _columns(db, table):
    return {name: kind for _, name, kind, *_ in db.execute(f"pragma table_info({table})")}


def _unpacked(data, real):
    """The numbers of a packed column; whole ones signed, as SQLite has them."""
    numbers, before, code, shift = [], 0, 0, 0
    for byte in data:
        code |= (byte & 0x7F) << shift
        shift += 7
        if byte >= 0x80:
            continue
        if code >> 64:
            raise ValueError("a packed number has more than 64 bits")
        if real:
            before ^= int.from_bytes(code.to_bytes(8, "little"), "big")
            numbers.append(struct.unpack("<d", before.to_bytes(8, "little"))[0])
        else:
            before = before + (code >> 1 ^ -(code & 1)) & 0xFFFFFFFFFFFFFFFF
            numbers.append(before - (before >> 63 << 64))
        code = shift = 0
    if shift:
        raise ValueError("a packed column ends within a number")
    return numbers


def rows_of(db, table, columns):
    """A tuple of \\p columns for each row of \\p table, in order."""
    if "rows" not in _columns(db, table):
        yield from db.execute(f'select {columns} from {table} order by "row"')
        return
    for count, *packed in db.execute(f'select "rows", {columns} from {table} order by "row"'):
        numbers = [_unpacked(data, name == "weight") for name, data in zip(columns.split(", "), packed)]
        if any(len(its) != count for its in numbers):
            raise ValueError(f"a packed column of table {table} has another length than its rows say")
        yield from zip(*numbers)


def _likes(db):
    """For each task, by row: the task whose rows it shares (or None), and its phase."""
    shared = dict(db.execute('select phase, "as" from shared')) if _columns(db, "shared") else {}
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
    for task, *rest in rows_of(db, table, f"task, {keys}, {figures}"):
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
