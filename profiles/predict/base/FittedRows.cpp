//===- FittedRows.cpp - growth by fits, by rows of the base ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FittedRows.h.
//===----------------------------------------------------------------------===//
#include "FittedRows.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

FittedRows::FittedRows(const Profile &B, FittedValues V)
    : Values(std::move(V)) {
  if (Values.empty())
    return;
  std::map<InstanceKey, uint32_t> Instances;
  for (uint32_t I = 0; I < B.Instances.size(); ++I)
    Instances[keyOf(nameOf(B.Instances[I]))] = I;
  auto Find = [&](const InstanceName &Of) {
    auto It = Instances.find(keyOf(Of));
    return It == Instances.end() ? EK_NO_TASK : It->second;
  };
  Sizes.resize(B.Instances.size());
  for (const FittedSize &S : Values.Sizes)
    if (const uint32_t I = Find(S.Of); I != EK_NO_TASK)
      Sizes[I] = &S.Bytes;
  std::map<std::tuple<uint64_t, uint64_t, bool>, const FittedTasks *> Types;
  for (const FittedTasks &T : Values.Tasks) {
    Types[{T.Region, T.Sync, T.Explicit}] = &T;
    for (const FittedTasks::Object &O : T.Objects)
      if (const uint32_t I = Find(O.Of); I != EK_NO_TASK)
        Objects[{&T, I}] = &O;
  }
  Tasks.resize(B.Tasks.size());
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    const ek_raw_task &Row = B.Tasks[T];
    auto It =
        Types.find({Row.region, B.Phases[Row.phase].sync, bool(Row.flags & 1)});
    Tasks[T] = It == Types.end() ? nullptr : It->second;
  }
}

const FittedTasks::Object *FittedRows::find(uint32_t Task,
                                            uint32_t Inst) const {
  const FittedTasks *T = tasksOf(Task);
  if (!T)
    return nullptr;
  auto It = Objects.find({T, Inst});
  return It == Objects.end() ? nullptr : It->second;
}
