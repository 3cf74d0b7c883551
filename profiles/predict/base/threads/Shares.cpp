//===- Shares.cpp - the work that each new thread takes over --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Shares.h.
//===----------------------------------------------------------------------===//
#include "Shares.h"
#include "tuning/Tuning.h"
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::threads;

namespace {

class Sharing {
  const Profile &B;
  const unsigned Old, New;
  Profile &Out;

public:
  Shares Its;

  Sharing(const Profile &B, unsigned Old, unsigned New, Profile &Out)
      : B(B), Old(Old), New(New), Out(Out) {
    Its.Old = Old;
    Its.New = New;
  }

  void findPhases() {
    Its.Shared.resize(B.Phases.size());
    for (size_t H = 0; H < B.Phases.size(); ++H)
      Its.Shared[H] = B.Phases[H].kind == 1 && B.Phases[H].width == Old;
    std::vector<std::vector<double>> Core(B.Phases.size()); // by thread
    for (const ek_raw_task &T : B.Tasks) {
      std::vector<double> &Cycles = Core[T.phase];
      Cycles.resize(Old, -1);
      // Skip rows that continue another row, and threads outside the team.
      if (T.flags & 1 || T.index >= Old || Cycles[T.index] >= 0)
        Its.Shared[T.phase] = false;
      else
        Cycles[T.index] = double(T.core_cycles);
    }
    for (size_t H = 0; H < Core.size(); ++H) {
      double Sum = 0, Most = 0;
      for (double X : Core[H]) {
        Sum += std::max(0.0, X);
        Most = std::max(Most, X);
      }
      if (Old > 2 && Sum > 0 && Most > figures().AloneShare * Sum)
        Its.Shared[H] = false;
    }
    Out.Phases = B.Phases;
    for (ek_raw_phase &H : Out.Phases)
      if (H.kind == 1 && H.width == Old)
        H.width = New;
    Out.Config.workers = New;
  }

  void shareTasks() {
    Its.Pieces.resize(B.Tasks.size());
    for (uint32_t T = 0; T < B.Tasks.size();) {
      uint32_t End = T;
      while (End < B.Tasks.size() && B.Tasks[End].phase == B.Tasks[T].phase)
        ++End;
      if (Its.Shared[B.Tasks[T].phase])
        shareTeam(T, End);
      else
        for (uint32_t K = T; K < End; ++K)
          keep(K);
      T = End;
    }
    for (const ek_raw_part &X : B.Parts)
      Out.Parts.push_back(
          {Its.Pieces[X.task].front().Task, Its.Pieces[X.first].front().Task});
    for (const ek_raw_dep &X : B.Deps)
      Out.Deps.push_back(
          {Its.Pieces[X.task].front().Task, Its.Pieces[X.pred].front().Task});
  }

private:
  /// Work of threads besides explicit tasks goes to the remaining threads.
  void keep(uint32_t K) {
    ek_raw_task T = B.Tasks[K];
    T.worker %= New;
    const bool Gone = Out.Phases[T.phase].width == New &&
                      B.Phases[T.phase].kind == 1 && !(T.flags & 1) &&
                      T.index >= New;
    if (Gone)
      for (uint32_t Row = uint32_t(Out.Tasks.size()); Row-- > 0;) {
        ek_raw_task &To = Out.Tasks[Row];
        if (To.phase != T.phase)
          break;
        if (To.index == T.index % New && !(To.flags & 1)) {
          To.core_cycles += T.core_cycles;
          To.instructions += T.instructions;
          Its.Pieces[K] = {{Row, 0, 1}};
          return;
        }
      }
    if (Gone)
      T.index %= New;
    Its.Pieces[K] = {{uint32_t(Out.Tasks.size()), 0, 1}};
    Out.Tasks.push_back(T);
  }

  void shareTeam(uint32_t Begin, uint32_t End) {
    std::vector<uint32_t> RowOf(Old, EK_NO_TASK);
    for (uint32_t K = Begin; K < End; ++K)
      RowOf[B.Tasks[K].index] = K;
    for (uint32_t U = 0; U < New; ++U) {
      const auto Task = uint32_t(Out.Tasks.size());
      const ek_raw_task *First = nullptr;
      double Core = 0, Instructions = 0;
      for (uint32_t T = Its.firstOf(U); T < Its.endOf(U); ++T) {
        if (RowOf[T] == EK_NO_TASK)
          continue;
        const ek_raw_task &Row = B.Tasks[RowOf[T]];
        Piece X = Its.pieceOf(U, T);
        X.Task = Task;
        Its.Pieces[RowOf[T]].push_back(X);
        First = First ? First : &Row;
        Core += double(Row.core_cycles) * X.share();
        Instructions += double(Row.instructions) * X.share();
      }
      if (!First)
        continue;
      ek_raw_task &Row = Out.Tasks.emplace_back(*First);
      Row.index = Row.worker = U;
      Row.core_cycles = uint64_t(std::llround(Core));
      Row.instructions = uint64_t(std::llround(Instructions));
    }
  }
};

} // namespace

Shares evenkeel::threads::shareTasks(const Profile &B, unsigned Old,
                                     unsigned New, Profile &Out) {
  Sharing Of(B, Old, New, Out);
  Of.findPhases();
  Of.shareTasks();
  return std::move(Of.Its);
}
