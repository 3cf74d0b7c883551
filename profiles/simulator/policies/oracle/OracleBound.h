//===- OracleBound.h - lower bounds for all placements ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a linear program whose optimum is a lower bound on the replayed
// makespan of every placement. Phase times are at least each worker's work at
// idle latencies, work over workers and chains of explicit tasks, and bytes
// over the bandwidth of each tier and direction. All of these are linear in the
// fast shares of the record's true misses; replay adds load, order and costs. A
// page takes up space from the phase of its first touch on, and may have any
// share in fast memory.
//   * static: one share per page for the whole run;
//   * moving: new shares in each phase; in a phase of length T, no more than
//     the capacity plus what can be copied in T may be fast. This covers moves
//     by the helper core and by faulting tasks, but not Memory Mode, whose
//     cache copies lines, not pages.
// Makes: the two bounds, from GLPK's simplex if the program is small enough and
// GLPK was found at configure time, otherwise from Lagrange multipliers
// improved by a subgradient method: any multipliers give a valid bound.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_ORACLE_ORACLEBOUND_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_ORACLE_ORACLEBOUND_H

#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"

namespace evenkeel {

struct OracleBounds {
  double StaticSeconds = 0, MovingSeconds = 0;
  bool StaticExact = false; // the linear program's optimum, not only a bound
};

OracleBounds oracleBounds(const PreparedRecord &R, const Machine &M,
                          uint64_t FastBytes);

/// minimise sum over groups g of max over rows r of g (A_r - B_r x), subject to
/// sum over u of W_cu x_u <= Limit_c + sum over g of Grow_cg T_g, 0 <= x <= 1.
struct BoundProblem {
  struct Row {
    double A = 0;
    std::vector<std::pair<uint32_t, double>> B;
  };
  struct Capacity {
    double Limit = 0;
    std::vector<std::pair<uint32_t, double>> W;
    double Grow = 0; // of the only group, then
  };
  size_t Variables = 0;
  std::vector<std::vector<Row>> Groups;
  std::vector<Capacity> Capacities;
};
/// A lower bound on the optimum; \p Exact: it is the optimum.
double lowerBound(const BoundProblem &P, bool &Exact);
/// Like lowerBound, by multipliers only.
double dualBound(const BoundProblem &P);

} // namespace evenkeel

#endif
