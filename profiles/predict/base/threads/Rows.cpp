//===- Rows.cpp - the accesses and misses of other threads ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rows.h.
//===----------------------------------------------------------------------===//
#include "Rows.h"
#include "predict/base/CacheCurve.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

using namespace evenkeel;
using namespace evenkeel::threads;

namespace {

/// Lines: sums of shares may differ by this much.
constexpr double Rounding = 1e-6;

class RowSharing {
  const Profile &B;
  const Shares &By;
  const unsigned Old, New;
  const Formulas &Of;
  const Objects &Which;
  Profile &Out;
  using Cell = std::pair<uint32_t, uint32_t>; // task, instance; both new
  std::map<Cell, const ek_raw_mrc *> CurveOf; // of the old ones

  /// The instance that the new task \p Task uses where the old task \p T used
  /// \p I.
  uint32_t instanceNow(uint32_t I, const ek_raw_task &T, uint32_t Task) const {
    const auto [Group, Each] = Which.PartOf[I];
    const uint32_t Creator = B.Instances[I].creator;
    const bool Own = By.Shared[T.phase] && Creator == T.index;
    return Which.InstanceNow.at({Group, !Each ? 0
                                        : Own ? Out.Tasks[Task].index
                                              : Creator * New / Old});
  }

  template <typename Do> void eachPiece(uint32_t Task, uint32_t I, Do What) {
    const ek_raw_task &T = B.Tasks[Task];
    for (const Piece &X : By.Pieces[Task]) {
      const uint32_t Now = instanceNow(I, T, X.Task);
      const double Times = By.Shared[T.phase]
                               ? Of.factorOf(T.region, B.Instances[I].site,
                                             Out.Tasks[X.Task].index)
                               : 1;
      What(Cell{X.Task, Now}, X, Times);
    }
  }

  /// Objects of a phase of which each thread walks through its own address
  /// range.
  std::set<std::pair<uint32_t, uint32_t>> ownParts() const {
    struct Span {
      uint32_t First = EK_CHUNKS, Last = 0;
    };
    std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, Span>> Spans;
    std::set<std::pair<uint32_t, uint32_t>> Other;
    for (const ek_raw_miss &M : B.Misses) {
      const ek_raw_task &T = B.Tasks[M.task];
      if (!By.Shared[T.phase])
        continue;
      Span &S = Spans[{T.phase, M.inst}][T.index];
      S.First = std::min(S.First, M.chunk);
      S.Last = std::max(S.Last, M.chunk);
      if (!Of.walks(T.region, B.Instances[M.inst].site))
        Other.insert({T.phase, M.inst});
    }
    std::set<std::pair<uint32_t, uint32_t>> Own;
    for (const auto &[Where, ByThread] : Spans) {
      double Sum = 0;
      Span All;
      for (const auto &[T, S] : ByThread) {
        Sum += S.Last + 1 - S.First;
        All.First = std::min(All.First, S.First);
        All.Last = std::max(All.Last, S.Last);
      }
      if (!Other.count(Where) &&
          Sum <= figures().MostOverlap * (All.Last + 1 - All.First))
        Own.insert(Where);
    }
    return Own;
  }

  /// For a thread's own address range: the lines that a new thread fetches over
  /// those that an old one would fetch for the same work. Its cache holds
  /// another share of a longer or shorter range.
  double fetched(uint32_t Task, uint32_t I) const {
    auto Row = CurveOf.find({Task, I});
    const CacheCurve Curve(B.Config,
                           Row == CurveOf.end() ? nullptr : Row->second);
    const double Here = Curve.empty() ? 0 : Curve.at(B.Config.llc_share_bytes);
    return Here > 0
               ? Curve.at(double(B.Config.llc_share_bytes) * New / Old) / Here
               : 1;
  }

  /// Lines read, lines written and latencies, by chunk.
  using ByChunk = std::map<uint32_t, std::array<double, 3>>;

  /// The part \p X of \p Rows: its chunks if \p Walked, with each field
  /// proportional to the covered length. If they have no rows, the total is
  /// shared equally.
  static ByChunk partOf(const ByChunk &Rows, const Piece &X, bool Walked) {
    const double Lo = Rows.begin()->first,
                 Length = Rows.rbegin()->first + 1 - Lo;
    ByChunk Out;
    std::array<double, 3> All = {}, Inside = {};
    for (const auto &[Chunk, V] : Rows) {
      const double In =
          Walked
              ? std::max(0.0, std::min(Chunk + 1.0, Lo + Length * X.To) -
                                  std::max(double(Chunk), Lo + Length * X.From))
              : 1;
      for (int K = 0; K < 3; ++K) {
        All[K] += V[K];
        Inside[K] += V[K] * In;
        if (In > 0)
          Out[Chunk][K] = V[K] * In;
      }
    }
    if (Out.empty())
      Out = Rows;
    for (auto &[Chunk, V] : Out)
      for (int K = 0; K < 3; ++K)
        V[K] = X.share() * (Inside[K] > 0 ? V[K] * All[K] / Inside[K]
                                          : All[K] / double(Out.size()));
    return Out;
  }

public:
  void shareMisses() {
    const auto Own = ownParts();
    std::map<Cell, ByChunk> All;
    std::map<Cell, std::map<uint32_t, uint64_t>> Courses;
    for (size_t First = 0, End; First < B.Misses.size(); First = End) {
      const auto [Task, I] =
          std::pair(B.Misses[First].task, B.Misses[First].inst);
      ByChunk Rows;
      for (End = First; End < B.Misses.size() && B.Misses[End].task == Task &&
                        B.Misses[End].inst == I;
           ++End) {
        const ek_raw_miss &M = B.Misses[End];
        Rows[M.chunk] = {double(M.reads), double(M.writes), M.weight};
      }
      const bool IsShared = By.Shared[B.Tasks[Task].phase];
      const bool Walked = IsShared && Own.count({B.Tasks[Task].phase, I});
      const double Fetched = Walked ? fetched(Task, I) : 1;
      eachPiece(Task, I, [&](Cell To, const Piece &X, double Times) {
        for (const auto &[Chunk, V] : partOf(Rows, X, Walked)) {
          std::array<double, 3> &Sum = All[To][Chunk];
          Sum[0] += V[0] * Times * Fetched;
          Sum[1] += V[1] * Times;
          Sum[2] += V[2] * Times * Fetched;
        }
        for (size_t K = First; !IsShared && K < End; ++K)
          Courses[To][B.Misses[K].chunk] = B.Misses[K].course;
      });
    }
    std::map<uint32_t, std::array<double, 3>> Over; // by object, from rounding
    for (const auto &[To, Rows] : All) {
      std::array<double, 3> &Left = Over[To.second];
      for (const auto &[Chunk, V] : Rows) {
        for (int K = 0; K < 3; ++K)
          Left[K] += V[K];
        ek_raw_miss Row{To.first, To.second, Chunk, 0, 0, 0, 0, 0};
        Row.reads = uint64_t(Left[0] + Rounding);
        Row.writes = uint64_t(Left[1] + Rounding);
        if (!Row.reads && !Row.writes)
          continue;
        Row.weight = Row.reads ? Left[2] : 0;
        Left[0] -= double(Row.reads);
        Left[1] -= double(Row.writes);
        Left[2] -= Row.weight;
        if (auto Its = Courses.find(To); Its != Courses.end())
          if (auto When = Its->second.find(Chunk); When != Its->second.end())
            Row.course = When->second;
        Out.Misses.push_back(Row);
      }
    }
    shareCurves(Own);
  }

private:
  void shareCurves(const std::set<std::pair<uint32_t, uint32_t>> &Own) {
    std::map<Cell, std::array<double, EK_RAW_LLC_SIZES>> All;
    for (const ek_raw_mrc &C : B.Curves) {
      const CacheCurve Curve(B.Config, &C);
      const bool Walked = By.Shared[B.Tasks[C.task].phase] && !Curve.empty() &&
                          Own.count({B.Tasks[C.task].phase, C.inst});
      eachPiece(C.task, C.inst, [&](Cell To, const Piece &X, double Times) {
        std::array<double, EK_RAW_LLC_SIZES> &Sum = All[To];
        for (int K = 0; K < EK_RAW_LLC_SIZES; ++K)
          Sum[K] += (Walked && B.Config.llc_sizes[K]
                         ? Curve.at(double(B.Config.llc_sizes[K]) * New / Old)
                         : double(C.reads[K])) *
                    X.share() * Times;
      });
    }
    for (const auto &[To, Sum] : All) {
      ek_raw_mrc &C = Out.Curves.emplace_back();
      C.task = To.first;
      C.inst = To.second;
      for (int K = 0; K < EK_RAW_LLC_SIZES; ++K)
        C.reads[K] = uint64_t(std::llround(Sum[K]));
    }
    std::map<Cell, std::pair<double, double>> Far;
    for (const ek_raw_far &X : B.Far)
      eachPiece(X.task, X.inst, [&](Cell To, const Piece &P, double Times) {
        Far[To].first += double(X.reads) * P.share() * Times;
        Far[To].second += X.weight * P.share() * Times;
      });
    for (const auto &[To, Sum] : Far)
      Out.Far.push_back(
          {To.first, To.second, uint64_t(std::llround(Sum.first)), Sum.second});
  }

public:
  /// Converts accesses; core time is proportional to them.
  void shareAccesses() {
    struct Sums {
      double Reads = 0, Writes = 0;
    };
    std::map<Cell, Sums> All;
    std::map<uint32_t, std::pair<double, double>> Work; // distributed, by
                                                        // formulas; by task
    for (const ek_raw_access &A : B.Accesses)
      eachPiece(A.task, A.inst, [&](Cell To, const Piece &X, double Times) {
        Sums &S = All[To];
        S.Reads += double(A.reads) * X.share() * Times;
        S.Writes += double(A.writes) * X.share() * Times;
        const double Its = double(A.reads + A.writes) * X.share();
        Work[To.first].first += Its;
        Work[To.first].second += Its * Times;
      });
    for (const auto &[To, S] : All)
      Out.Accesses.push_back({To.first, To.second,
                              uint64_t(std::llround(S.Reads)),
                              uint64_t(std::llround(S.Writes))});
    for (auto [Task, W] : Work)
      if (W.first > 0)
        for (uint64_t *N :
             {&Out.Tasks[Task].core_cycles, &Out.Tasks[Task].instructions})
          *N = uint64_t(std::llround(double(*N) * W.second / W.first));
  }

  RowSharing(const Profile &B, const Shares &By, const Formulas &Of,
             const Objects &Which, Profile &Out)
      : B(B), By(By), Old(By.Old), New(By.New), Of(Of), Which(Which), Out(Out) {
    for (const ek_raw_mrc &C : B.Curves)
      CurveOf[{C.task, C.inst}] = &C;
  }
};

} // namespace

void evenkeel::threads::shareRows(const Profile &B, const Shares &By,
                                  const Formulas &Of, const Objects &Which,
                                  Profile &Out) {
  RowSharing Sharing(B, By, Of, Which, Out);
  Sharing.shareAccesses();
  Sharing.shareMisses();
}
