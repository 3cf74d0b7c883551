//===- Evaluate.cpp - expressions on the base input -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Evaluate.h.
//===----------------------------------------------------------------------===//
#include "Evaluate.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

std::optional<double> evenkeel::prediction::baseValue(const BaseTables &Base,
                                                      uint64_t Symbol,
                                                      uint32_t Task) {
  auto It = Base.Symbols.find(Symbol);
  if (It == Base.Symbols.end())
    return std::nullopt;
  const BaseValues &V = It->second;
  const bool Measured = V.isMeasured();
  if (Task != EK_NO_TASK) {
    auto T = V.PerTask.find(Task);
    if (T != V.PerTask.end())
      return T->second;
    T = Measured ? V.PerTask.end() : V.PerTask.find(Base.Tasks.Began[Task]);
    if (T != V.PerTask.end())
      return T->second;
  }
  if (V.Program)
    return V.Program;
  if (Task != EK_NO_TASK && !V.PerRank.empty()) {
    auto Own = V.PerRank.find(rankOf(Base.B, Task));
    if (Own != V.PerRank.end())
      return Own->second;
  }
  // Recorded only in other tasks: valid if it was the same in all of them.
  if (V.First && V.OneValue && !Measured)
    return V.First;
  // A task that did not reach the loop executed no iterations.
  if (V.Reported && Measured && (Task != EK_NO_TASK || !V.First))
    return 0;
  return std::nullopt;
}

EvalContext evenkeel::prediction::contextOf(const BaseTables &Base,
                                            uint32_t Task) {
  EvalContext C;
  if (Task == EK_NO_TASK)
    return C;
  // After a wait, the rest of a thread's task counts as an explicit task.
  const uint32_t Began = Base.Tasks.Began[Task];
  const ek_raw_task &T = Base.B.Tasks[Began];
  const ek_raw_phase &H = Base.B.Phases[T.phase];
  if (!(T.flags & 1) && H.kind == 1) {
    C.Task = T.index;
    C.Tasks = std::max(1u, H.width);
  } else if (T.flags & 1) {
    C.Task = Base.Tasks.Place[Began];
    C.Tasks = std::max(1u, Base.Tasks.Made.at({T.phase, T.region}));
  }
  return C;
}

std::optional<double> evenkeel::prediction::inReach(const BaseTables &Base,
                                                    uint64_t Symbol,
                                                    std::optional<double> V,
                                                    Trace &How) {
  auto It = Base.Symbols.find(Symbol);
  const SymbolFact *Fact = It == Base.Symbols.end() ? nullptr : It->second.Fact;
  if (!V || !Fact || !Fact->Least || *V >= double(*Fact->Least))
    return V;
  How.Below = true;
  return std::nullopt;
}

std::optional<double> evenkeel::prediction::evalBase(const BaseTables &Base,
                                                     const Expr &E,
                                                     uint32_t Task,
                                                     Trace *How) {
  Trace Own;
  EvalContext C = contextOf(Base, Task);
  C.Lookup = [&](uint64_t S) {
    return inReach(Base, S, baseValue(Base, S, Task), Own);
  };
  const std::optional<double> V = valueOf(E, C);
  if (How)
    How->add(Own);
  return V && std::isfinite(*V) ? V : std::nullopt;
}
