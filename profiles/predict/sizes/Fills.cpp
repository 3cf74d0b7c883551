//===- Fills.cpp - arrays that a loop writes once -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a loop that writes each element of an array exactly once gives the
// array's size.
// Makes: the fills by one access; and the code shared by all rules of Fills.h.
//===----------------------------------------------------------------------===//
#include "Fills.h"
#include "predict/base/Evaluate.h"
#include "problem/Problem.h"
#include "tuning/Tuning.h"
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

std::vector<uint32_t> evenkeel::prediction::wholeWalk(const BaseTables &Base,
                                                      const AccessFact &A,
                                                      const Expr &Count,
                                                      double Bytes) {
  std::map<uint32_t, double> PerPhase;
  std::vector<uint32_t> Tasks;
  auto In = Base.Tasks.InRegion.find(A.Region);
  if (In == Base.Tasks.InRegion.end())
    return {};
  for (uint32_t T : In->second)
    if (std::optional<double> V = evalBase(Base, Count, T); V && *V > 0) {
      PerPhase[Base.B.Tasks[T].phase] += *V;
      Tasks.push_back(T);
    }
  // The recorder may round the size up to a line.
  for (const auto &Phase : PerPhase)
    if (Phase.second < figures().LeastTelling ||
        std::fabs(Phase.second * double(A.ElementBytes) - Bytes) >
            LineBytes + 1e-6 * Bytes)
      return {};
  return Tasks;
}

std::map<uint64_t, double>
evenkeel::prediction::bytesOfSingles(const Profile &B) {
  std::map<uint64_t, double> Out;
  std::set<uint64_t> Several;
  for (const ek_raw_inst &I : B.Instances)
    if (!Out.emplace(I.site, double(I.bytes)).second)
      Several.insert(I.site);
  for (uint64_t Site : Several)
    Out.erase(Site);
  return Out;
}

bool evenkeel::prediction::inOnePhase(const Profile &B,
                                      const std::vector<uint32_t> &Tasks) {
  for (uint32_t T : Tasks)
    if (B.Tasks[T].phase != B.Tasks[Tasks[0]].phase)
      return false;
  return !Tasks.empty();
}

FillsBySite evenkeel::prediction::findFills(const BaseTables &Base) {
  FillsBySite Out;
  const std::map<uint64_t, double> Bytes = bytesOfSingles(Base.B);
  for (const AccessFact &A : Base.F.Accesses) {
    if (A.Class != AccessFact::Stream || A.Sites.size() != 1 ||
        !A.ElementBytes || !A.Writes || Out.count(A.Sites[0]))
      continue;
    auto It = Bytes.find(A.Sites[0]);
    if (It == Bytes.end())
      continue;
    std::vector<uint32_t> Tasks = wholeWalk(Base, A, *A.Writes, It->second);
    if (inOnePhase(Base.B, Tasks))
      Out[A.Sites[0]] = {&A, std::move(Tasks)};
  }
  return Out;
}

FillTable evenkeel::prediction::makeFills(const BaseTables &Base,
                                          const Rules &Use) {
  FillTable Out;
  if (Use.Fills)
    Out.Fills = findFills(Base);
  if (Use.JointFills)
    Out.Joint = findJointFills(Base, Out.Fills);
  if (Use.ReadThrough)
    Out.ReadThrough = findReadThrough(Base);
  return Out;
}
