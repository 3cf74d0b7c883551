# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Accesses per task and object of two profiles of one program: the same. Says
# how many there are.
import sqlite3
import sys


def counts(path):
    db = sqlite3.connect(path)
    objects = list(db.execute(
        "SELECT site, context, ordinal, creator, bytes FROM inst "
        "ORDER BY rowid"))
    found = {(task, objects[inst]): (reads, writes)
             for task, inst, reads, writes in db.execute(
                 "SELECT task, inst, reads, writes FROM access")}
    tasks = list(db.execute(
        'SELECT region, phase, "index", instructions FROM task '
        "ORDER BY rowid"))
    return found, tasks


one, one_tasks = counts(sys.argv[1])
two, two_tasks = counts(sys.argv[2])
for key in sorted(set(one) | set(two)):
    if one.get(key) != two.get(key):
        print("task", key[0], "object", key[1], one.get(key), two.get(key))
assert one == two and one_tasks == two_tasks
print(len(one), "counts of", len(one_tasks), "tasks are the same")
