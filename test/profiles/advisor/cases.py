# cases.py - random inputs of ecoHMEM's advisor
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: how a case is made from its number: {"options": [..], "files": {name:
# text}}. Sizes, weights and times are drawn so that all steps have something to
# decide: tiers that are too small, live ranges that overlap, bandwidths on both
# sides of the advisor's thresholds.
import hashlib
import json

ROWS = ["Total", "Average", "Rank 0"]


class Draw:
    """Random numbers that are the same with every Python (splitmix64)."""

    def __init__(self, seed):
        self.state = seed * 0x9E3779B97F4A7C15 % 2**64

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = (self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    def random(self):
        return (self.bits() >> 11) / 2**53

    def randrange(self, first, end=None):
        first, end = (0, first) if end is None else (first, end)
        return first + self.bits() % (end - first)

    def uniform(self, low, high):
        return low + (high - low) * self.random()

    def choice(self, items):
        return items[self.randrange(len(items))]

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            k = self.randrange(i + 1)
            items[i], items[k] = items[k], items[i]


def stack(r, k):
    form = r.random()
    if form < 0.55:
        frames = [f"f{r.randrange(9)}.c:{r.randrange(1, 400)}" for _ in range(r.randrange(1, 5))]
    elif form < 0.9:
        frames = [f"/opt/lib{r.randrange(3)}.so!{r.randrange(1 << 20):x}"
                  for _ in range(r.randrange(1, 6))]
    else:
        return f"variable_{k}"
    return " > ".join(frames + [f"main.c:{k}"])


def label(r, text):
    form = r.random()
    if form < 0.8:
        return f"object {r.randrange(99)} [{text}]"
    return f"({text})" if form < 0.9 else text


def number(r, value):
    return str(value) if r.random() < 0.5 else f"{value}.{r.randrange(100):02d}"


def histogram(r, labels, figures):
    rows = [[""] + labels + [""]]
    names = list(ROWS)
    r.shuffle(names)
    for name in names:
        row = [number(r, f) if name == "Total" else number(r, f // 4 + (f > 0)) for f in figures]
        rows.append([name] + row + [""])
    end = "\r\n" if r.random() < 0.1 else "\n"
    return "".join("\t".join(row) + end for row in rows)


def tiers(r, total):
    count = r.choice([2, 2, 2, 2, 3, 4])
    lines = []
    for i in range(count):
        last = i == count - 1
        size = int(total * (r.uniform(3, 9) if last else r.choice([0.05, 0.2, 0.5, 0.9]))) + 4096
        text = r.choice([f"{size}", f"{size}b", f"{max(1, size >> 10)}K", f"{size / 2**20:.3f}M"])
        name = "DRAM" if i == 0 or r.random() < 0.02 else f"TIER{i}"
        allocator = ["posix", "memkind/pmem", "memkind/hbwmalloc", "posix"][i]
        lines.append(f"{name},{1 + i * r.randrange(0, 6)},{1 + i * r.randrange(0, 11)},{text},{allocator}")
    if r.random() < 0.03:
        lines[0] = lines[0].replace("DRAM", "HBM")
    return "\n".join(lines) + ("\n" if r.random() < 0.9 else "")


def allocations(r, stacks, sizes):
    """allocsinfo.json: some objects are short-lived, some never end."""
    span = r.choice([10**8, 10**10, 10**12])
    rows, processes, parts = [], r.choice([1, 10, 10, 12]), r.choice([1, 20, 100])
    for k, (name, size) in enumerate(zip(stacks, sizes)):
        for _ in range(r.choice([1, 1, 1, 2, 4])):
            for process in range(1, processes + 1):
                if process not in (1, 10) and r.random() < 0.8:
                    continue
                start = r.randrange(span)
                end = start + r.randrange(1, max(2, span // r.choice([1, 3, 40])))
                if r.random() < 0.05:
                    end = 0
                rows.append([r.choice([1] * 19 + [2]), process, 1, start, end,
                             max(1, size // parts), k + 1])
    r.shuffle(rows)
    if r.random() < 0.7:
        rows.sort(key=lambda row: row[3])
    objects = {str(k + 1): f"{name} [{name}]" for k, name in enumerate(stacks)}
    if r.random() < 0.04 and objects:
        objects.pop("1")
    fields = ["app", "proc", "func", "alloc_time", "free_time", "bytes", "obj_id"]
    return json.dumps({"version": 1, "objects": objects, "fields": fields, "allocs": rows},
                      separators=(",", ":"))


def case(seed):
    r = Draw(seed)
    n = r.choice([0, 1, 2, 5, 9, 14, 20, 30])
    stacks = list(dict.fromkeys(stack(r, k) for k in range(n)))
    if r.random() < 0.3 and stacks:
        stacks.append(r.choice(stacks))  # two columns of one call stack
    if r.random() < 0.4:
        stacks.append(r.choice(["Unresolved", "Memory object referenced by sampled address (x)"]))
    r.shuffle(stacks)
    unit = r.choice([100, 4096, 10**6, 10**8])
    figures = lambda most: [r.choice([0, r.randrange(1, most), r.randrange(1, most)]) for _ in stacks]
    loads, stores = figures(r.choice([20, 3000, 10**6])), figures(r.choice([20, 3000]))
    sizes = [r.choice([0] + [r.randrange(1, 40 * unit)] * 9) for _ in stacks]
    labels = [label(r, s) for s in stacks]
    options, files = [], {}
    files["loads.csv"] = histogram(r, labels, loads)
    files["sizes.csv"] = histogram(r, labels, sizes)
    files["tiers.csv"] = tiers(r, max(1, sum(sizes)))
    if r.random() < 0.8:
        files["stores.csv"] = histogram(r, labels, stores)
    if r.random() < 0.75:
        files["allocs.json"] = allocations(r, list(dict.fromkeys(stacks)), sizes)
        if r.random() < 0.3:
            options += ["--disable-bw-aware"]
    else:
        options += ["--disable-bw-aware"]
    kind = r.random()
    if kind < 0.12 and unit <= 4096:
        options += ["--algo", "precise"]
    elif kind < 0.3:
        options += ["--algo", str(r.choice([0, 1, 5, 20]))]
    if r.random() < 0.2:
        options += ["--metric", "misses"]
    if r.random() < 0.15:
        options += ["--worst"]
    if r.random() < 0.2:
        options += ["--page", r.choice(["2M", "64k", "512", "1b"])]
    if r.random() < 0.2:
        options += ["--rank-statistics", "Average", "--num-ranks", str(r.choice([1, 3, 7]))]
    if r.random() < 0.25:
        options += [r.choice(["--verbose", "--visualizer"])]
    return {"options": options, "files": files}


def digest(case):
    """Says whether a case is the one that the original was asked about."""
    return hashlib.sha256(json.dumps(case, sort_keys=True).encode()).hexdigest()[:16]
