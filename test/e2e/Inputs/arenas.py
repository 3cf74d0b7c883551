"""Arenas in plans, replays and runs (arenas.test).

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import sys


def read(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def arenas(plan):
    return {o["at"].split(":")[1]: o for o in plan["objects"] if o.get("arena")}


def plan(with_, without):
    its = arenas(with_)
    largest = max(its.values(), key=lambda o: o["predicted_bytes"])
    assert largest["share"] < 0.2, its  # the cold ones
    assert any(o["share"] > 0.9 for o in its.values()), its
    assert all(o["ordinal"] is None and not o["ranges"] for o in its.values()), its
    assert with_["predicted"]["makespan_s"] < 0.99 * without["predicted"]["makespan_s"]
    assert "base" not in with_["replan"]


def replay(with_, without):
    of = {p["name"]: p["makespan_s"] for p in with_["policies"]}
    alone = {p["name"]: p["makespan_s"] for p in without["policies"]}
    assert of["balanced-static"] < 0.95 * of["first-touch"], of
    assert of["balanced-static"] < 0.95 * alone["balanced-static"], (of, alone)


def run(planned, summary):
    its, made = arenas(planned), summary["arenas"]
    assert made["planned"] == made["made"] == len({o["site"] for o in its.values()}), made
    for name, wanted in (
        ("fast_bytes", sum(o["share"] * o["predicted_bytes"] for o in its.values())),
        ("bytes", sum(o["predicted_bytes"] for o in its.values())),
    ):
        # The record packs blocks closer than size classes do.
        assert 0.95 * wanted < made[name] < 1.35 * wanted + (1 << 20), (name, wanted, made)


{"plan": plan, "replay": replay, "run": run}[sys.argv[1]](*map(read, sys.argv[2:]))
