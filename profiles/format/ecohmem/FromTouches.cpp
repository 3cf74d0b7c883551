//===- FromTouches.cpp - touched pages as ecoHMEM's advisor takes them ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FromTouches.h.
//===----------------------------------------------------------------------===//
#include "FromTouches.h"
#include "format/ek_touches.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::ecohmem;

static std::string stackOf(const TouchObject &O) {
  std::string Stack;
  for (const std::string &Frame : O.Frames)
    Stack += (Stack.empty() ? "" : " > ") + Frame;
  return Stack;
}

namespace {
struct Sums {
  uint64_t Loads = 0, Stores = 0, Peak = 0;
};
} // namespace

/// The peaks of live bytes: of each stack, and of all together (the result). An
/// object lives in the passes that have rows of it.
static uint64_t addPeaks(const TouchRecord &R,
                         const std::vector<Sums *> &ByObject) {
  uint64_t PeakOfAll = 0;
  std::vector<uint32_t> SeenIn(R.Objects.size(), UINT32_MAX);
  std::map<Sums *, uint64_t> Live;
  for (size_t I = 0; I < R.Rows.size();) {
    const uint32_t Pass = R.Rows[I].Pass;
    uint64_t All = 0;
    Live.clear();
    for (; I < R.Rows.size() && R.Rows[I].Pass == Pass; ++I) {
      const uint32_t Object = R.Rows[I].Object;
      if (!ByObject[Object] || SeenIn[Object] == Pass)
        continue;
      SeenIn[Object] = Pass;
      Live[ByObject[Object]] += R.Objects[Object].Bytes;
      All += R.Objects[Object].Bytes;
    }
    for (const auto &[Of, Bytes] : Live)
      Of->Peak = std::max(Of->Peak, Bytes);
    PeakOfAll = std::max(PeakOfAll, All);
  }
  return PeakOfAll;
}

Expected<TouchTables> ecohmem::tablesOf(const TouchRecord &R) {
  TouchTables T;
  std::map<std::string, Sums> ByStack;
  std::vector<Sums *> ByObject;
  for (const TouchObject &O : R.Objects) {
    ByObject.push_back(O.Frames.empty() ? nullptr : &ByStack[stackOf(O)]);
    T.LeftOut += O.Frames.empty();
  }
  for (const TouchRow &X : R.Rows) {
    Sums *S = ByObject[X.Object];
    if (S && X.Touched != TouchRow::Unknown)
      S->Loads += X.Touched;
    if (S && X.Written != TouchRow::Unknown)
      S->Stores += X.Written;
  }
  T.PeakBytes = addPeaks(R, ByObject);
  for (const auto &[Stack, S] : ByStack) {
    if (!S.Loads && !S.Stores)
      continue;
    T.Stacks.push_back(Stack);
    T.Loads.push_back(S.Loads);
    T.Stores.push_back(S.Stores);
    T.Bytes.push_back(S.Peak);
  }
  if (T.Stacks.empty())
    return Error{"no touched object has a call stack (large blocks and "
                 "mappings have one); record the program again"};
  return T;
}

std::optional<uint64_t> ecohmem::touchStackHash(const std::string &Stack) {
  uint64_t Hash = 0;
  for (size_t From = 0; From <= Stack.size();) {
    const size_t To = std::min(Stack.find(" > ", From), Stack.size());
    const std::string Frame = Stack.substr(From, To - From);
    From = To + 3;
    const size_t Mark = Frame.rfind('!');
    if (Mark == std::string::npos || Mark == 0 || Frame.size() - Mark > 17 ||
        Mark + 1 == Frame.size() ||
        Frame.find_first_not_of("0123456789abcdef", Mark + 1) !=
            std::string::npos)
      return std::nullopt;
    Hash =
        ek_touch_stack_hash(Hash, Frame.substr(0, Mark).c_str(),
                            std::stoull(Frame.substr(Mark + 1), nullptr, 16));
  }
  return Hash;
}
