//===- Symbols.cpp - the values of another number of threads --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Symbols.h.
//===----------------------------------------------------------------------===//
#include "Symbols.h"
#include "predict/base/Quantity.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace evenkeel;
using namespace evenkeel::threads;

namespace {

/// Doubles represent integers below this exactly.
constexpr double Exact = 9e15;

class SymbolSharing {
  const Profile &B;
  const Facts &F;
  const Shares &By;
  const unsigned Old, New;
  const Formulas &Of;
  Profile &Out;
  using ByThread = std::map<uint32_t, ek_raw_symbol>;

public:
  SymbolSharing(const Profile &B, const Facts &F, const Shares &By,
                const Formulas &Of, Profile &Out)
      : B(B), F(F), By(By), Old(By.Old), New(By.New), Of(Of), Out(Out) {}

  /// Converts values of single tasks, in work-shared phases.
  void run() {
    std::map<std::pair<uint32_t, uint64_t>, std::map<uint32_t, ek_raw_symbol>>
        Teams; // by phase and symbol: by thread
    std::map<std::pair<uint64_t, uint32_t>, size_t> Kept; // symbol, new task
    for (const ek_raw_symbol &S : B.Symbols) {
      const SymbolFact *Fact = F.symbol(S.symbol);
      if (S.task != EK_NO_TASK && By.Shared[B.Tasks[S.task].phase]) {
        const ek_raw_task &T = B.Tasks[S.task];
        Teams[{T.phase, S.symbol}].emplace(T.index, S);
        continue;
      }
      ek_raw_symbol Row = S;
      if (S.task != EK_NO_TASK)
        Row.task = By.Pieces[S.task].front().Task;
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
      if (Fact && Fact->Kind == SymbolFact::Measured) {
        shareTotal(*Fact, Team.second);
        continue;
      }
      // Each share begins where the previous one ends.
      const uint32_t Phase = Team.first.first;
      const bool Ends = std::any_of(
          Teams.lower_bound({Phase, 0}), Teams.lower_bound({Phase + 1, 0}),
          [&](const auto &Other) {
            return &Other != &Team && follows(Team.second, Other.second);
          });
      shareValues(Fact, Team.second, Ends);
    }
    std::sort(Out.Symbols.begin(), Out.Symbols.end(), [](auto &X, auto &Y) {
      return std::tuple(X.symbol, X.task) < std::tuple(Y.symbol, Y.task);
    });
  }

private:
  void shareTotal(const SymbolFact &Fact, const ByThread &Its) {
    bool Alike = Its.size() == Old;
    for (const auto &[T, S] : Its)
      Alike &=
          S.sum == Its.begin()->second.sum && S.sum < figures().LeastTelling;
    std::map<uint32_t, ek_raw_symbol> Sums; // by new task
    for (const auto &[T, S] : Its)
      for (const Piece &X : By.Pieces[S.task]) {
        const uint32_t U = Out.Tasks[X.Task].index;
        double Times = 1;
        if (Fact.ScalesWith)
          Times = Of.departure({Fact.ScalesWith.get()}, U);
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
           std::all_of(Its.begin(), Its.end(), [](const auto &One) {
             return One.second.first == int64_t(One.first) &&
                    One.second.min == One.second.max;
           });
  }

  /// Whether thread t + 1's value of \p Next equals thread t's of \p Its, or
  /// that plus one.
  bool follows(const ByThread &Its, const ByThread &Next) const {
    const SymbolFact *Fact = F.symbol(Next.begin()->second.symbol);
    if (Its.size() != Old || Next.size() != Old || Old < 2 || isNumber(Next) ||
        (Fact && Fact->Kind == SymbolFact::Measured))
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
  void shareValues(const SymbolFact *Fact, const ByThread &Its, bool Ends) {
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
      for (const Piece &X : By.Pieces[S.task]) {
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
};

} // namespace

void evenkeel::threads::shareSymbols(const Profile &B, const Facts &F,
                                     const Shares &By, const Formulas &Of,
                                     Profile &Out) {
  SymbolSharing(B, F, By, Of, Out).run();
}
