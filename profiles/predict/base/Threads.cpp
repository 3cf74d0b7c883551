//===- Threads.cpp - convert a base profile to other thread counts --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Threads.h. Thread t of T executes the share [t / T, (t + 1) / T) of a
// phase's work, so thread u of N gets the share [u / N, (u + 1) / N). If each
// thread walks through its own address range of an object, the new thread gets
// the chunks in that range; otherwise it gets the share of the accesses in each
// chunk. A range T / N times as long misses like the old one in caches N / T
// times as large (CacheCurve.h). If count expressions say that a thread's
// accesses are not proportional to its share of the work (each thread reads all
// of a vector), they take precedence. Bounds that differ from thread to thread
// are interpolated.
//===----------------------------------------------------------------------===//
#include "Threads.h"
#include "CacheCurve.h"
#include "Quantity.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace evenkeel;

namespace {

/// Doubles represent integers below this exactly.
constexpr double Exact = 9e15;
/// Lines: sums of shares may differ by this much.
constexpr double Rounding = 1e-6;

/// The part of an old task's work that a new task executes, from .. to.
struct Piece {
  uint32_t Task = 0;
  double From = 0, To = 1;
  double share() const { return To - From; }
};

class Dealer {
  const Profile &B;
  const Facts &F;
  const unsigned Old, New;
  Profile Out;
  std::vector<bool> Dealt;                // by phase
  std::vector<std::vector<Piece>> Pieces; // by old task
  std::map<std::pair<uint64_t, uint64_t>, std::vector<const AccessFact *>>
      AccessesOf;                    // region, site
  std::map<uint64_t, double> Known;  // symbols with one value
  std::map<uint64_t, double> Counts; // the same for the new threads
  /// By old instance: the instance to which it belongs, and whether each thread
  /// allocated one.
  std::vector<std::pair<uint32_t, bool>> PartOf;
  struct Clone {
    uint32_t Of = 0, Number = 0, Creator = 0;
  };
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> InstanceNow; // part, number
  using Cell = std::pair<uint32_t, uint32_t>; // task, instance; both new
  /// Correction factors, by region, site and new thread.
  std::map<std::tuple<uint64_t, uint64_t, uint32_t>, double> Factors;
  std::map<Cell, const ek_raw_mrc *> CurveOf; // of the old ones

  /// The first old thread whose work new thread \p U takes over.
  uint32_t firstOf(uint32_t U) const { return U * Old / New; }
  uint32_t endOf(uint32_t U) const {
    return std::min(Old, ((U + 1) * Old + New - 1) / New);
  }

  /// The part of old thread \p T's work that new thread \p U executes.
  Piece pieceOf(uint32_t U, uint32_t T) const {
    Piece X;
    X.From = std::max(0.0, double(U) * Old / New - T);
    X.To = std::min(1.0, double(U + 1) * Old / New - T);
    return X;
  }

  void findPhases() {
    Dealt.resize(B.Phases.size());
    for (size_t H = 0; H < B.Phases.size(); ++H)
      Dealt[H] = B.Phases[H].kind == 1 && B.Phases[H].width == Old;
    std::vector<std::vector<double>> Core(B.Phases.size()); // by thread
    for (const ek_raw_task &T : B.Tasks) {
      std::vector<double> &Its = Core[T.phase];
      Its.resize(Old, -1);
      // Skip rows that continue another row, and threads outside the team.
      if (T.flags & 1 || T.index >= Old || Its[T.index] >= 0)
        Dealt[T.phase] = false;
      else
        Its[T.index] = double(T.core_cycles);
    }
    for (size_t H = 0; H < Core.size(); ++H) {
      double Sum = 0, Most = 0;
      for (double X : Core[H]) {
        Sum += std::max(0.0, X);
        Most = std::max(Most, X);
      }
      if (Old > 2 && Sum > 0 && Most > figures().AloneShare * Sum)
        Dealt[H] = false;
    }
    Out.Phases = B.Phases;
    for (ek_raw_phase &H : Out.Phases)
      if (H.kind == 1 && H.width == Old)
        H.width = New;
    Out.Config.workers = New;
  }

  void dealTasks() {
    Pieces.resize(B.Tasks.size());
    for (uint32_t T = 0; T < B.Tasks.size();) {
      uint32_t End = T;
      while (End < B.Tasks.size() && B.Tasks[End].phase == B.Tasks[T].phase)
        ++End;
      if (Dealt[B.Tasks[T].phase])
        dealTeam(T, End);
      else
        for (uint32_t K = T; K < End; ++K)
          keep(K);
      T = End;
    }
    for (const ek_raw_part &X : B.Parts)
      Out.Parts.push_back(
          {Pieces[X.task].front().Task, Pieces[X.first].front().Task});
    for (const ek_raw_dep &X : B.Deps)
      Out.Deps.push_back(
          {Pieces[X.task].front().Task, Pieces[X.pred].front().Task});
  }

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
          Pieces[K] = {{Row, 0, 1}};
          return;
        }
      }
    if (Gone)
      T.index %= New;
    Pieces[K] = {{uint32_t(Out.Tasks.size()), 0, 1}};
    Out.Tasks.push_back(T);
  }

  void dealTeam(uint32_t Begin, uint32_t End) {
    std::vector<uint32_t> RowOf(Old, EK_NO_TASK);
    for (uint32_t K = Begin; K < End; ++K)
      RowOf[B.Tasks[K].index] = K;
    for (uint32_t U = 0; U < New; ++U) {
      const auto Task = uint32_t(Out.Tasks.size());
      const ek_raw_task *First = nullptr;
      double Core = 0, Instructions = 0;
      for (uint32_t T = firstOf(U); T < endOf(U); ++T) {
        if (RowOf[T] == EK_NO_TASK)
          continue;
        const ek_raw_task &Row = B.Tasks[RowOf[T]];
        Piece X = pieceOf(U, T);
        X.Task = Task;
        Pieces[RowOf[T]].push_back(X);
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

  /// If each old thread allocates an object, so does each new one.
  void dealInstances() {
    std::map<std::tuple<uint64_t, uint64_t, uint32_t>,
             std::vector<std::pair<uint32_t, uint32_t>>>
        Groups; // by site, context and ordinal: creators and rows
    for (uint32_t I = 0; I < B.Instances.size(); ++I) {
      const ek_raw_inst &X = B.Instances[I];
      Groups[{X.site, X.context, X.ordinal}].emplace_back(X.creator, I);
    }
    PartOf.resize(B.Instances.size());
    std::vector<Clone> All;
    for (auto &[Of, Its] : Groups) {
      std::sort(Its.begin(), Its.end());
      bool Each = Old > 1 && Its.size() == Old;
      for (uint32_t T = 0; Each && T < Old; ++T)
        Each = Its[T].first == T;
      const uint32_t Group = Its.front().second;
      for (auto [Creator, I] : Its) {
        PartOf[I] = {Each ? Group : I, Each};
        if (!Each)
          All.push_back({I, 0, Creator % New});
      }
      for (uint32_t U = 0; Each && U < New; ++U)
        All.push_back({Its[U * Old / New].second, U, U});
    }
    // Objects of removed threads follow those of their new owners.
    std::sort(All.begin(), All.end(), [&](const Clone &X, const Clone &Y) {
      auto Key = [&](const Clone &Z) {
        const ek_raw_inst &I = B.Instances[Z.Of];
        return std::tuple(I.site, Z.Creator,
                          EK_RAW_IS_SMALL(I.ordinal) +
                              (I.ordinal == EK_RAW_SMALL),
                          PartOf[Z.Of].second ? 0 : I.creator, I.ordinal, Z.Of);
      };
      return Key(X) < Key(Y);
    });
    std::map<std::tuple<uint64_t, uint64_t, uint32_t>, uint32_t> InContext;
    for (const Clone &X : All) {
      ek_raw_inst Row = B.Instances[X.Of];
      Row.creator = X.Creator;
      Row.bytes = bytesOf(X, Row);
      ek_raw_inst *Last =
          Out.Instances.empty() ? nullptr : &Out.Instances.back();
      const bool Goes =
          Last && Last->site == Row.site && Last->creator == Row.creator;
      if (Goes && Row.ordinal == EK_RAW_SMALL && Last->ordinal == Row.ordinal) {
        Last->bytes += Row.bytes; // a creator's small blocks share a row
        InstanceNow[{PartOf[X.Of].first, X.Number}] =
            uint32_t(Out.Instances.size()) - 1;
        continue;
      }
      if (Goes && Row.ordinal != EK_RAW_SMALL)
        Row.ordinal = std::max(Row.ordinal, Last->ordinal + 1);
      if (Goes)
        Row.number = std::max(Row.number, Last->number + 1);
      if (!EK_RAW_IS_SMALL(Row.ordinal)) {
        uint32_t &Next = InContext[{Row.site, Row.context, Row.creator}];
        Row.in_context = std::max(Row.in_context, Next);
        Next = Row.in_context + 1;
      }
      InstanceNow[{PartOf[X.Of].first, X.Number}] =
          uint32_t(Out.Instances.size());
      Out.Instances.push_back(Row);
    }
  }

  /// The size of a clone, recomputed if it depends on the number of threads.
  uint64_t bytesOf(const Clone &X, const ek_raw_inst &Row) const {
    const SiteFact *Site = F.site(Row.site);
    if (!Site || !Site->Size)
      return Row.bytes;
    const auto Then = valueFor(*Site->Size, B.Instances[X.Of].creator, false);
    const auto Now = valueFor(*Site->Size, X.Creator, true);
    return Then && Now && *Then > 0 && *Now > 0
               ? uint64_t(std::llround(double(Row.bytes) * *Now / *Then))
               : Row.bytes;
  }

  /// The instance that the new task \p Task uses where the old task \p By used
  /// \p I.
  uint32_t instanceNow(uint32_t I, const ek_raw_task &By, uint32_t Task) const {
    const auto [Group, Each] = PartOf[I];
    const uint32_t Creator = B.Instances[I].creator;
    const bool Own = Dealt[By.phase] && Creator == By.index;
    return InstanceNow.at({Group, !Each ? 0
                                  : Own ? Out.Tasks[Task].index
                                        : Creator * New / Old});
  }

  /// Reads symbols in formulas that have one value for all tasks; the number of
  /// threads gets the new value.
  void readValues() {
    std::set<uint64_t> Several;
    for (const ek_raw_symbol &S : B.Symbols) {
      const SymbolFact *Fact = F.symbol(S.symbol);
      if (!S.times || !Fact || Fact->Kind == "measured")
        continue;
      auto [It, First] = Known.try_emplace(S.symbol, double(S.first));
      if (S.min != S.max || It->second != double(S.first) ||
          (Fact->Least && S.min < *Fact->Least))
        Several.insert(S.symbol);
    }
    for (uint64_t S : Several)
      Known.erase(S);
    Counts = Known;
    for (const SymbolFact &S : F.Symbols)
      if (isThreadCount(S.Name))
        if (auto It = Counts.find(S.Id); It != Counts.end())
          It->second = New;
  }

  std::optional<double> valueFor(const Expr &E, unsigned Task, bool Now) const {
    EvalContext C;
    C.Task = Task;
    C.Tasks = Now ? New : Old;
    C.Lookup = [&](uint64_t S) -> std::optional<double> {
      const std::map<uint64_t, double> &Of = Now ? Counts : Known;
      auto It = Of.find(S);
      return It == Of.end() ? std::nullopt : std::optional(It->second);
    };
    std::optional<double> V = valueOf(E, C);
    return V && std::isfinite(*V) ? V : std::nullopt;
  }

  /// The formulas' value for new thread \p U over its share of the sum of
  /// \p Es; 1 if they have no value.
  double told(const std::vector<const Expr *> &Es, uint32_t U) const {
    double Now = 0, ByParts = 0;
    for (const Expr *E : Es) {
      std::optional<double> V = valueFor(*E, U, true);
      if (!V)
        return 1;
      Now += *V;
      for (uint32_t T = firstOf(U); T < endOf(U); ++T) {
        std::optional<double> W = valueFor(*E, T, false);
        if (!W)
          return 1;
        ByParts += *W * pieceOf(U, T).share();
      }
    }
    return Now > 0 && ByParts > 0 ? Now / ByParts : 1;
  }

  double factorOf(uint64_t Region, uint64_t Site, uint32_t U) {
    auto [It, First] = Factors.try_emplace({Region, Site, U}, 1.0);
    if (!First)
      return It->second;
    std::vector<const Expr *> Es;
    if (auto Its = AccessesOf.find({Region, Site}); Its != AccessesOf.end())
      for (const AccessFact *A : Its->second)
        for (const ExprRef &E : {A->Reads, A->Writes})
          if (E)
            Es.push_back(E.get());
    return It->second = told(Es, U);
  }

  template <typename Do> void eachPiece(uint32_t Task, uint32_t I, Do What) {
    const ek_raw_task &T = B.Tasks[Task];
    for (const Piece &X : Pieces[Task]) {
      const uint32_t Now = instanceNow(I, T, X.Task);
      const double Times =
          Dealt[T.phase]
              ? factorOf(T.region, B.Instances[I].site, Out.Tasks[X.Task].index)
              : 1;
      What(Cell{X.Task, Now}, X, Times);
    }
  }

  /// Converts accesses; core time is proportional to them.
  void dealAccesses() {
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
      if (!Dealt[T.phase])
        continue;
      Span &S = Spans[{T.phase, M.inst}][T.index];
      S.First = std::min(S.First, M.chunk);
      S.Last = std::max(S.Last, M.chunk);
      auto It = AccessesOf.find({T.region, B.Instances[M.inst].site});
      if (It == AccessesOf.end() ||
          !std::all_of(It->second.begin(), It->second.end(),
                       [](const AccessFact *A) { return isInOrder(*A); }))
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
    const CacheCurve Of(B.Config, Row == CurveOf.end() ? nullptr : Row->second);
    const double Here = Of.empty() ? 0 : Of.at(B.Config.llc_share_bytes);
    return Here > 0 ? Of.at(double(B.Config.llc_share_bytes) * New / Old) / Here
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

  void dealMisses() {
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
      const bool IsDealt = Dealt[B.Tasks[Task].phase];
      const bool Walked = IsDealt && Own.count({B.Tasks[Task].phase, I});
      const double Fetched = Walked ? fetched(Task, I) : 1;
      eachPiece(Task, I, [&](Cell To, const Piece &X, double Times) {
        for (const auto &[Chunk, V] : partOf(Rows, X, Walked)) {
          std::array<double, 3> &Sum = All[To][Chunk];
          Sum[0] += V[0] * Times * Fetched;
          Sum[1] += V[1] * Times;
          Sum[2] += V[2] * Times * Fetched;
        }
        for (size_t K = First; !IsDealt && K < End; ++K)
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
    dealCurves(Own);
  }

  void dealCurves(const std::set<std::pair<uint32_t, uint32_t>> &Own) {
    std::map<Cell, std::array<double, EK_RAW_LLC_SIZES>> All;
    for (const ek_raw_mrc &C : B.Curves) {
      const CacheCurve Of(B.Config, &C);
      const bool Walked = Dealt[B.Tasks[C.task].phase] && !Of.empty() &&
                          Own.count({B.Tasks[C.task].phase, C.inst});
      eachPiece(C.task, C.inst, [&](Cell To, const Piece &X, double Times) {
        std::array<double, EK_RAW_LLC_SIZES> &Sum = All[To];
        for (int K = 0; K < EK_RAW_LLC_SIZES; ++K)
          Sum[K] += (Walked && B.Config.llc_sizes[K]
                         ? Of.at(double(B.Config.llc_sizes[K]) * New / Old)
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

  /// Converts values of single tasks, in work-shared phases.
  void dealSymbols() {
    std::map<std::pair<uint32_t, uint64_t>, std::map<uint32_t, ek_raw_symbol>>
        Teams; // by phase and symbol: by thread
    std::map<std::pair<uint64_t, uint32_t>, size_t> Kept; // symbol, new task
    for (const ek_raw_symbol &S : B.Symbols) {
      const SymbolFact *Fact = F.symbol(S.symbol);
      if (S.task != EK_NO_TASK && Dealt[B.Tasks[S.task].phase]) {
        const ek_raw_task &T = B.Tasks[S.task];
        Teams[{T.phase, S.symbol}].emplace(T.index, S);
        continue;
      }
      ek_raw_symbol Row = S;
      if (S.task != EK_NO_TASK)
        Row.task = Pieces[S.task].front().Task;
      if (auto [It, First] =
              Kept.try_emplace({S.symbol, Row.task}, Out.Symbols.size());
          !First) { // from a removed thread
        ek_raw_symbol &To = Out.Symbols[It->second];
        To.sum += S.sum;
        To.times += S.times;
        To.min = std::min(To.min, S.min);
        To.max = std::max(To.max, S.max);
        continue;
      }
      if (Fact && isThreadCount(Fact->Name))
        for (int64_t *V : {&Row.first, &Row.last, &Row.min, &Row.max})
          *V = *V == int64_t(Old) ? int64_t(New) : *V;
      Out.Symbols.push_back(Row);
    }
    for (const auto &Team : Teams) {
      const SymbolFact *Fact = F.symbol(Team.first.second);
      if (Fact && Fact->Kind == "measured") {
        dealTotals(*Fact, Team.second);
        continue;
      }
      // Each share begins where the previous one ends.
      const uint32_t Phase = Team.first.first;
      const bool Ends = std::any_of(
          Teams.lower_bound({Phase, 0}), Teams.lower_bound({Phase + 1, 0}),
          [&](const auto &Other) {
            return &Other != &Team && follows(Team.second, Other.second);
          });
      dealValues(Fact, Team.second, Ends);
    }
    std::sort(Out.Symbols.begin(), Out.Symbols.end(), [](auto &X, auto &Y) {
      return std::tuple(X.symbol, X.task) < std::tuple(Y.symbol, Y.task);
    });
  }

  using ByThread = std::map<uint32_t, ek_raw_symbol>;

  void dealTotals(const SymbolFact &Fact, const ByThread &Its) {
    bool Alike = Its.size() == Old;
    for (const auto &[T, S] : Its)
      Alike &=
          S.sum == Its.begin()->second.sum && S.sum < figures().LeastTelling;
    std::map<uint32_t, ek_raw_symbol> Sums; // by new task
    for (const auto &[T, S] : Its)
      for (const Piece &X : Pieces[S.task]) {
        const uint32_t U = Out.Tasks[X.Task].index;
        double Times = 1;
        if (Fact.ScalesWith)
          Times = told({Fact.ScalesWith.get()}, U);
        // Each new thread executes all of it.
        const double Share = Alike && !Fact.ScalesWith ? X.share() * New / Old
                                                       : X.share() * Times;
        auto [It, First] = Sums.try_emplace(X.Task, S);
        ek_raw_symbol &Sum = It->second;
        if (First) {
          Sum.task = X.Task;
          Sum.sum = 0;
          Sum.times = 0;
        }
        Sum.sum += S.sum * Share;
        Sum.times += S.times ? std::max<uint64_t>(
                                   1, uint64_t(std::llround(double(S.times) *
                                                            X.share() * Times)))
                             : 0;
        Sum.min = std::min(Sum.min, S.min);
        Sum.max = std::max(Sum.max, S.max);
      }
    for (const auto &[Task, S] : Sums)
      Out.Symbols.push_back(S);
  }

  /// Whether it is the thread's own number.
  bool isNumber(const ByThread &Its) const {
    return Its.size() == Old &&
           std::all_of(Its.begin(), Its.end(), [](const auto &Of) {
             return Of.second.first == int64_t(Of.first) &&
                    Of.second.min == Of.second.max;
           });
  }

  /// Whether thread t + 1's value of \p Next equals thread t's of \p Its, or
  /// that plus one.
  bool follows(const ByThread &Its, const ByThread &Next) const {
    const SymbolFact *Fact = F.symbol(Next.begin()->second.symbol);
    if (Its.size() != Old || Next.size() != Old || Old < 2 || isNumber(Next) ||
        (Fact && Fact->Kind == "measured"))
      return false;
    for (uint32_t T = 0; T + 1 < Old; ++T) {
      const int64_t Gap = Next.at(T + 1).first - Its.at(T).first;
      if (Gap != 0 && Gap != 1)
        return false;
    }
    return true;
  }

  /// Bounds of shares: \p Ends, or starts. Values that neither increase nor are
  /// equal in all threads have no value for other thread counts.
  void dealValues(const SymbolFact *Fact, const ByThread &Its, bool Ends) {
    const bool Number = isNumber(Its);
    bool Same = true, Rises = Its.size() == Old;
    int64_t Before = std::numeric_limits<int64_t>::min();
    for (const auto &[T, S] : Its) {
      Same &= S.first == Its.begin()->second.first;
      Rises &= S.first >= Before && S.min == S.max &&
               std::abs(double(S.first)) < Exact;
      Before = S.first;
    }
    const bool IsCount = Fact && isThreadCount(Fact->Name);
    if (!IsCount && !Number && !Same && !Rises)
      return;
    auto Bound = [&](uint32_t U) {
      const double At =
          Ends ? double(U + 1) * Old / New - 1 : double(U) * Old / New;
      auto V = [&](int64_t T) { return double(Its.at(uint32_t(T)).first); };
      // Extrapolate beyond the first and last thread from their neighbours.
      const auto Below =
          std::clamp<int64_t>(int64_t(std::floor(At)), 0, int64_t(Old) - 2);
      return V(Below) + (At - double(Below)) * (V(Below + 1) - V(Below));
    };
    std::set<uint32_t> Done;
    for (const auto &[T, S] : Its)
      for (const Piece &X : Pieces[S.task]) {
        if (!Done.insert(X.Task).second)
          continue;
        const uint32_t U = Out.Tasks[X.Task].index;
        ek_raw_symbol Row = S;
        Row.task = X.Task;
        if (IsCount || Number || !Same)
          Row.first = Row.last = Row.min = Row.max =
              IsCount  ? int64_t(New)
              : Number ? int64_t(U)
                       : int64_t(std::llround(Bound(U)));
        Out.Symbols.push_back(Row);
      }
  }

public:
  Dealer(const Profile &B, const Facts &F, unsigned Old, unsigned New)
      : B(B), F(F), Old(Old), New(New) {
    Out.Role = B.Role;
    Out.Ended = B.Ended;
    Out.Mode = B.Mode;
    Out.Input = B.Input;
    Out.Command = B.Command;
    Out.Config = B.Config;
    Out.OneIn = B.OneIn;
    Out.Races = B.Races;
    for (const AccessFact &A : F.Accesses)
      for (uint64_t S : A.Sites)
        AccessesOf[{A.Region, S}].push_back(&A);
    for (const ek_raw_mrc &C : B.Curves)
      CurveOf[{C.task, C.inst}] = &C;
  }

  Profile run() {
    findPhases();
    dealTasks();
    readValues();
    dealInstances();
    dealAccesses();
    dealMisses();
    dealSymbols();
    return std::move(Out);
  }
};

} // namespace

unsigned evenkeel::threadsOf(const Profile &Base) {
  unsigned Most = 1;
  for (const ek_raw_phase &H : Base.Phases)
    Most = std::max(Most, H.kind == 1 ? H.width : 1);
  return Most;
}

Expected<Profile> evenkeel::withThreads(const Profile &Base, const Facts &F,
                                        unsigned Threads) {
  if (!Threads || Threads > MostThreads)
    return Error{"--threads is a number from 1 to " +
                 std::to_string(MostThreads)};
  if (!Base.Ranks.empty())
    return Error{"--threads: the base profile is of an MPI program; record it "
                 "with as many ranks and threads as the target will have"};
  const unsigned Old = threadsOf(Base);
  if (Old == Threads)
    return Base;
  if (Old > MostThreads)
    return Error{"--threads: the base profile has teams of " +
                 std::to_string(Old) + " threads; at most " +
                 std::to_string(MostThreads) + " can be dealt out"};
  if (Old == 1)
    return Error{"--threads: the base profile has no team of threads; record "
                 "it with two at least"};
  return Dealer(Base, F, Old, Threads).run();
}
