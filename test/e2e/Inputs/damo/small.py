# small.py FILE - a record of one target with three snapshots, as damo reads it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys
import zlib

HEAP, MAPPED, STACK = 0x55d0c0de0000, 0x7f1200000000, 0x7ffc00000000
MIB = 1 << 20


def region(start, size, samples):
    return {"start": start, "end": start + size, "nr_accesses": {"samples": samples, "percent": None},
            "age": {"usec": None, "aggr_intervals": 1}, "sz_filter_passed": 0}


def snapshot(number, hot, warm):
    return {"start_time": (10 + number) * 10 ** 8, "end_time": (11 + number) * 10 ** 8,
            "regions": [region(HEAP, MIB, hot), region(HEAP + MIB, 3 * MIB, 0), region(MAPPED, 2 * MIB, warm),
                        region(MAPPED + 2 * MIB, 6 * MIB, 1), region(STACK, 132 << 10, 2)]}


record = [{"kdamond_idx": 0, "context_idx": 0,
           "intervals": {"sample_us": 5000, "aggr_us": 100000, "ops_update_us": 1000000},
           "scheme_idx": None, "target_id": 0, "scheme_filters": [], "data_source": "unknown",
           "snapshots": [snapshot(0, 20, 5), snapshot(1, 20, 10), snapshot(2, 0, 20)]}]
open(sys.argv[1], "wb").write(zlib.compress(json.dumps(record).encode()))
