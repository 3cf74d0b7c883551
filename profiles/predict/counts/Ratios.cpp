//===- Work.cpp - how counts of accesses grow -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: C'(o,t)/C(o,t), count expressions evaluated with the target's and the
// base's symbols, of a task, of a site and of the whole program.
// Leaves out: what stands in where an expression is not usable (Tasks.cpp).
//===----------------------------------------------------------------------===//
#include "predict/Extrapolator.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

namespace {

/// More rows are not told apart.
constexpr size_t MostRows = 10;

/// What a row comes to in a task.
struct RowCounts {
  double Reads0 = 0, Writes0 = 0, Reads1 = 0, Writes1 = 0;
  Trace How;
  bool Good = true; // both inputs have values
};

} // namespace

/// Of rows that speak of a site, those that speak of one of its objects: a
/// subset whose counts on the base input are exactly that object's, by loads
/// and stores. 0: none is, or several that differ on the target; then all rows
/// stand for all objects.
static uint32_t rowsOf(const std::vector<RowCounts> &Rows, double Loads,
                       double Stores) {
  uint32_t Found = 0;
  double Ratio = 0;
  for (uint32_t Set = 1; Set < 1u << Rows.size(); ++Set) {
    double Reads = 0, Writes = 0, After = 0;
    for (size_t I = 0; I < Rows.size(); ++I)
      if (Set >> I & 1) {
        Reads += Rows[I].Reads0;
        Writes += Rows[I].Writes0;
        After += Rows[I].Reads1 + Rows[I].Writes1;
      }
    if (std::fabs(Reads - Loads) > 0.5 || std::fabs(Writes - Stores) > 0.5)
      continue;
    const double Its = After / (Loads + Stores);
    if (Found && std::fabs(Its - Ratio) > 1e-6 * Ratio)
      return 0;
    if (!Found)
      Found = Set;
    Ratio = Its;
  }
  return Found;
}

Ratio Extrapolator::ratio(uint32_t Task, const BaseDemand &Q) {
  Ratio C;
  const uint64_t Site = B.Instances[Q.Inst].site;
  auto It = AccessesOf.find({B.Tasks[Task].region, Site});
  if (It == AccessesOf.end())
    return C;
  std::vector<RowCounts> Rows;
  OfOwn = Who.Objects.count(Q.Inst) != 0;
  for (const AccessFact *A : It->second) {
    RowCounts R;
    auto Add = [&](CountOf Which, double &Old, double &New) {
      if (!(Which == CountOf::Reads ? A->Reads : A->Writes))
        return;
      std::optional<double> V0 = baseCount(*A, Which, Task, &R.How);
      std::optional<double> V1 =
          V0 ? targetCount(Counts, *A, Which, Task, R.How) : std::nullopt;
      if (!V0 || !V1) {
        R.Good = false;
        return;
      }
      // Counts are not negative; an expression may be for an empty range.
      Old += std::max(0.0, *V0);
      New += std::max(0.0, *V1);
    };
    Add(CountOf::Reads, R.Reads0, R.Reads1);
    Add(CountOf::Writes, R.Writes0, R.Writes1);
    Rows.push_back(std::move(R));
  }
  OfOwn = false;
  uint32_t Own = 0;
  const bool Several = std::any_of(
      Demands[Task].begin(), Demands[Task].end(), [&](const BaseDemand &X) {
        return X.Inst != Q.Inst && X.Accesses > 0 &&
               B.Instances[X.Inst].site == Site;
      });
  if (Several && Rows.size() > 1 && Rows.size() <= MostRows && Q.Accesses > 0 &&
      std::all_of(Rows.begin(), Rows.end(),
                  [](const RowCounts &R) { return R.Good; }))
    Own = rowsOf(Rows, Q.Loads, Q.Stores);
  double All0 = 0, All1 = 0, Writes0 = 0, Writes1 = 0;
  bool Good = true;
  for (size_t I = 0; I < Rows.size(); ++I) {
    if (Own && !(Own >> I & 1))
      continue;
    const RowCounts &R = Rows[I];
    Good &= R.Good;
    C.How.add(R.How);
    All0 += R.Reads0 + R.Writes0;
    All1 += R.Reads1 + R.Writes1;
    Writes0 += R.Writes0;
    Writes1 += R.Writes1;
  }
  C.Usable = Good && All0 > 0;
  if (C.Usable) {
    C.All = All1 / All0;
    // A region that only reads an object writes back what others left dirty in
    // the caches: that many lines at most, whatever the input.
    C.Writes = Writes0 > 0 ? Writes1 / Writes0 : 1;
  }
  return C;
}

const Ratio &Extrapolator::cachedRatio(uint32_t Task, const BaseDemand &Q) {
  if (!Q.ItsTime || Q.ItsTime < RatiosFrom[Task]) {
    Q.Its = ratio(Task, Q);
    Q.ItsTime = RatioTime;
  }
  return Q.Its;
}

void Extrapolator::programWork() {
  double Old = 0, New = 0;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    auto It = AccessesIn.find(B.Tasks[T].region);
    if (It == AccessesIn.end())
      continue;
    for (const AccessFact *A : It->second)
      for (CountOf Which : {CountOf::Reads, CountOf::Writes}) {
        Trace How;
        std::optional<double> V0 = baseCount(*A, Which, T);
        std::optional<double> V1 =
            V0 ? targetCount(GivenCounts, *A, Which, T, How) : std::nullopt;
        if (V1 && *V0 > 0 && *V1 > 0) {
          Old += *V0 * times(T);
          New += *V1 * times(T);
        }
      }
  }
  HaveWork = Old > 0 && New > 0;
  WorkRatio = HaveWork ? New / Old : 1;
}

void Extrapolator::siteAccesses() {
  SiteAccesses.clear();
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    for (auto It = AccessesOf.lower_bound({B.Tasks[T].region, 0});
         It != AccessesOf.end() && It->first.first == B.Tasks[T].region; ++It)
      for (const AccessFact *A : It->second)
        for (CountOf Which : {CountOf::Reads, CountOf::Writes}) {
          Trace How;
          std::optional<double> V0 = baseCount(*A, Which, T);
          std::optional<double> V1 =
              V0 ? targetCount(GivenCounts, *A, Which, T, How) : std::nullopt;
          if (V1 && *V0 > 0 && *V1 > 0 && (How.Changed || !How.Kept)) {
            SiteAccesses[It->first.second].first += *V0 * times(T);
            SiteAccesses[It->first.second].second += *V1 * times(T);
          }
        }
}

} // namespace extrapolation
} // namespace evenkeel
