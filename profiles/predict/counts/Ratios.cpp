//===- Ratios.cpp - growth of access counts by formulas -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: C'(o,t)/C(o,t): count expressions evaluated with the target's and the
// base's symbols.
// Not here: the estimates used if an expression is not usable
// (AccessCounts.cpp).
//===----------------------------------------------------------------------===//
#include "AccessCounts.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

/// More rows are not distinguished.
constexpr size_t MostRows = 10;

/// The counts of one row in a task.
struct RowCounts {
  double Reads0 = 0, Writes0 = 0, Reads1 = 0, Writes1 = 0;
  Trace How;
  bool Good = true; // both inputs have values
};

} // namespace

/// Among the rows of a site, those of one of its objects: a subset whose counts
/// on the base input equal that object's loads and stores. 0: there is none, or
/// several that differ on the target; then all rows represent all objects.
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

/// The counts of each of \p Accesses in \p Task.
static std::vector<RowCounts>
rowCounts(const BaseTables &Base, const BaseCounts &Old,
          const TargetCounts &New,
          const std::vector<const AccessFact *> &Accesses, uint32_t Task) {
  std::vector<RowCounts> Rows;
  for (const AccessFact *A : Accesses) {
    RowCounts R;
    auto Add = [&](CountOf Which, double &Before, double &After) {
      if (!exprOf(*A, Which))
        return;
      const Count &C0 = Old.at(Base, *A, Which, Task);
      R.How.add(C0.How);
      const std::optional<double> V1 =
          C0.V ? New.at(*A, Which, Task, R.How) : std::nullopt;
      if (!C0.V || !V1) {
        R.Good = false;
        return;
      }
      // Counts are not negative, but an expression may be for an empty range.
      Before += std::max(0.0, *C0.V);
      After += std::max(0.0, *V1);
    };
    Add(CountOf::Reads, R.Reads0, R.Reads1);
    Add(CountOf::Writes, R.Writes0, R.Writes1);
    Rows.push_back(R);
  }
  return Rows;
}

/// Whether \p Its accesses other objects of the same site as the K-th demand.
static bool hasSiblings(const Profile &B, const std::vector<BaseDemand> &Its,
                        size_t K) {
  const uint64_t Site = B.Instances[Its[K].Inst].site;
  return std::any_of(Its.begin(), Its.end(), [&](const BaseDemand &X) {
    return X.Inst != Its[K].Inst && X.Accesses > 0 &&
           B.Instances[X.Inst].site == Site;
  });
}

Ratio evenkeel::prediction::ratioByFormula(const BaseTables &Base,
                                           const BaseDemands &Demands,
                                           const BaseCounts &Old,
                                           const TargetCounts &New,
                                           uint32_t Task, size_t K) {
  Ratio C;
  const std::vector<BaseDemand> &All = Demands.Of[Task];
  const BaseDemand &Q = All[K];
  const std::vector<const AccessFact *> *Accesses = Base.accesses(Task, Q.Inst);
  if (!Accesses)
    return C;
  const std::vector<RowCounts> Rows =
      rowCounts(Base, Old, New, *Accesses, Task);
  uint32_t Own = 0;
  if (Rows.size() > 1 && Rows.size() <= MostRows && Q.Accesses > 0 &&
      hasSiblings(Base.B, All, K) &&
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
    // If a region only reads an object, its write-backs are dirty lines that
    // other tasks left in the caches; their number does not grow with the
    // input.
    C.Writes = Writes0 > 0 ? Writes1 / Writes0 : 1;
  }
  return C;
}
