//===- ReadThrough.cpp - arrays that loops read once ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the size of an array that a region reads through, each element once,
// gives the number of the region's iterations. The array may be read again in
// every phase.
// Makes: these loop totals, each with its array.
//===----------------------------------------------------------------------===//
#include "Fills.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

std::map<uint64_t, Fill>
evenkeel::prediction::findReadThrough(const BaseTables &Base) {
  std::map<uint64_t, Fill> Out;
  const std::map<uint64_t, double> Bytes = bytesOfSingles(Base.B);
  for (const AccessFact &A : Base.F.Accesses) {
    if (A.Class != AccessFact::Stream || A.Sites.size() != 1 ||
        !A.ElementBytes || !A.Reads || A.Reads->K != Expr::Symbol ||
        Out.count(A.Reads->Sym))
      continue;
    auto It = Bytes.find(A.Sites[0]);
    if (It == Bytes.end())
      continue;
    std::vector<uint32_t> Tasks = wholeWalk(Base, A, *A.Reads, It->second);
    if (!Tasks.empty())
      Out[A.Reads->Sym] = {&A, std::move(Tasks)};
  }
  return Out;
}
