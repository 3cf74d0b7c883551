//===- InputTable.cpp - the inputs that a program reads -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InputTable.h.
//===----------------------------------------------------------------------===//
#include "access/inputs/InputTable.h"
#include "format/Identity.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace evenkeel {

std::string keyOfInput(const InputRow &R) {
  std::string Key = std::to_string(R.Kind) + "|" + std::to_string(R.Index) +
                    "|" + R.Name + "|" + R.Letters + "|" +
                    std::to_string(R.Form) + "|" + std::to_string(R.Skip) +
                    "|" + R.Convert + "|" + std::to_string(R.Base) + "|" +
                    R.Format + "|" + std::to_string(R.Field);
  for (const auto *List : {&R.Names, &R.LongNames})
    for (const std::string &Name : *List)
      Key += "|" + Name;
  for (const CountRef &C : R.Of)
    Key += "|" + keyOfCount(C);
  return Key;
}

CountRef InputTable::add(InputRow R, const Instruction *At) {
  EntityKey K;
  K.Kind = "input";
  K.Path = keyOfInput(R);
  R.Id = entityId(K);
  if (At)
    if (Place P = Source.locateUser(At->getDebugLoc()); P.known())
      R.At = P.at();
  InputRow &Known = Rows.try_emplace(R.Id, R).first->second;
  if (Known.At.empty() || (!R.At.empty() && R.At < Known.At))
    Known.At = R.At;
  return countSymbol(R.Id);
}

/// The rank of an input among several that a value may come from, the most
/// explicit first: options in the command override prepared files.
unsigned InputTable::rankOf(const CountRef &C) const {
  if (C->Kind == Count::Const)
    return InputRow::First;
  if (C->Kind == Count::Symbol)
    switch (const InputRow &R = Rows.at(C->Sym); R.Kind) {
    case InputRow::Option:
      return 0;
    case InputRow::First:
      return rankOf(R.Of.front());
    default:
      return R.Kind + 1;
    }
  unsigned Rank = InputRow::First;
  for (const CountRef &A : C->Args)
    Rank = std::min(Rank, rankOf(A));
  return Rank;
}

CountRef InputTable::firstOf(std::vector<CountRef> Of) {
  InputRow R;
  R.Kind = InputRow::First;
  auto InFront = [&](const CountRef &A, const CountRef &B) {
    return rankOf(A) < rankOf(B);
  };
  for (const CountRef &C : Of) {
    const bool Choice =
        C->Kind == Count::Symbol && Rows.at(C->Sym).Kind == InputRow::First;
    const std::vector<CountRef> Inner =
        Choice ? Rows.at(C->Sym).Of : std::vector<CountRef>{C};
    for (const CountRef &One : Inner)
      if (none_of(R.Of, [&](auto &X) { return sameCount(X, One); }))
        R.Of.insert(upper_bound(R.Of, One, InFront), One);
  }
  // 0 stands for "not set"; of several other constants, none is the default.
  auto IsConstant = [](const CountRef &C) { return C->Kind == Count::Const; };
  if (count_if(R.Of, IsConstant) > 1)
    erase_if(R.Of, [](const CountRef &C) { return isConst(C, 0); });
  if (count_if(R.Of, IsConstant) > 1)
    erase_if(R.Of, IsConstant);
  return R.Of.size() == 1 ? R.Of[0] : add(std::move(R), nullptr);
}

bool InputTable::countsArguments(const CountRef &C) const {
  if (C->Kind == Count::Symbol && Rows.at(C->Sym).Kind == InputRow::Count)
    return true;
  return any_of(C->Args, [&](const CountRef &A) { return countsArguments(A); });
}

std::vector<InputRow>
InputTable::rowsIn(const std::vector<CountRef> &Used) const {
  std::map<uint64_t, InputRow> Out;
  std::vector<CountRef> Work = Used;
  while (!Work.empty()) {
    const CountRef C = Work.back();
    Work.pop_back();
    Work.insert(Work.end(), C->Args.begin(), C->Args.end());
    if (C->Kind != Count::Symbol)
      continue;
    const InputRow &R = Rows.at(C->Sym);
    if (Out.try_emplace(R.Id, R).second)
      Work.insert(Work.end(), R.Of.begin(), R.Of.end());
  }
  std::vector<InputRow> Rows;
  for (auto &[Id, R] : Out)
    Rows.push_back(std::move(R));
  return Rows;
}

} // namespace evenkeel
