//===- SeveralBases.cpp - fits over several base inputs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SeveralBases.h.
//===----------------------------------------------------------------------===//
#include "SeveralBases.h"
#include "predict/TargetPredictor.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::fits;
using namespace evenkeel::prediction;

static std::vector<BaseTables>
tablesOf(const PlanRequest &R, const std::vector<const Profile *> &Bases) {
  std::vector<BaseTables> Out;
  for (const Profile *B : Bases)
    Out.push_back(makeBaseTables(*R.F, *B, R.Use));
  return Out;
}

namespace {

/// The fits of one program, made stage by stage.
class Fitting {
  const PlanRequest &R;
  const std::vector<const Profile *> &Bases;
  const std::vector<BaseTables> Tables;
  const ValuesBySymbol &OfTarget;
  std::vector<std::vector<uint32_t>> InBase; // by base input, correspondingTo
  std::vector<Observed> Recorded, Predicted; // by base input
  /// Core times are compared with each other, so any clock rate will do.
  Machine AnyMachine;
  SeveralBases Out;

  size_t nearest() const { return Out.In.Nearest; }
  FittedValues valuesFor(size_t Base) const;
  Expected<Problem> predict(const Profile &Base, std::vector<Given> For,
                            FittedValues Fitted) const;
  MaybeError record();
  MaybeError predictOthers();
  template <typename ValueT> Member memberOf(ValueT Value) const;
  void choose(FitRow Row, const Series &S);
  void fitSizes();
  void fitObjects(FitRow::WhatType What);
  void fitCore();

public:
  Fitting(const PlanRequest &R, const std::vector<const Profile *> &Bases,
          std::vector<BaseTables> Tables, const ValuesBySymbol &OfTarget,
          Inputs In)
      : R(R), Bases(Bases), Tables(std::move(Tables)), OfTarget(OfTarget) {
    AnyMachine.GHz = 1;
    Out.In = std::move(In);
  }
  Expected<SeveralBases> run();
};

} // namespace

/// The entry of \p Row's tasks in \p V, which is new if there is none.
static FittedTasks &tasksOf(FittedValues &V, const TaskType &Type) {
  for (FittedTasks &T : V.Tasks)
    if (T.Region == Type.Region && T.Sync == Type.Sync &&
        T.Explicit == Type.Explicit)
      return T;
  V.Tasks.push_back({Type.Region, Type.Sync, Type.Explicit, {}, false, {}});
  return V.Tasks.back();
}

static FittedTasks::Object &objectOf(FittedTasks &T, const InstanceName &Of) {
  for (FittedTasks::Object &O : T.Objects)
    if (keyOf(O.Of) == keyOf(Of))
      return O;
  T.Objects.push_back({Of, {}, {}, 0});
  return T.Objects.back();
}

/// Adds the growth \p G of the quantity of \p Row.
static void addGrowth(const FitRow &Row, const FittedGrowth &G,
                      FittedValues &To) {
  if (Row.What == FitRow::Bytes) {
    To.Sizes.push_back({*Row.Object, G});
    return;
  }
  FittedTasks &T = tasksOf(To, Row.Type);
  if (Row.What == FitRow::CoreTime) {
    T.Core = G;
    T.CoreDetermined = Row.Determined;
    return;
  }
  FittedTasks::Object &O = objectOf(T, *Row.Object);
  (Row.What == FitRow::Accesses ? O.Accesses : O.Lines) = G;
  O.Than = Row.Than;
}

/// The values for base input \p Base, as far as fits have been chosen; for the
/// target, if there is no such input.
FittedValues Fitting::valuesFor(size_t Base) const {
  FittedValues V;
  for (const FitRow &Row : Out.Rows)
    if (Row.Its.IsBetter)
      addGrowth(Row,
                {Base < Bases.size() ? growthTo(Row.Its.Best, Out.In, Base)
                                     : Row.Its.Times,
                 Row.Its.Off},
                V);
  return V;
}

Expected<Problem> Fitting::predict(const Profile &Base, std::vector<Given> For,
                                   FittedValues Fitted) const {
  PlanRequest Q;
  Q.F = R.F;
  Q.Base = &Base;
  Q.M = &AnyMachine;
  Q.Fast = "0%";
  Q.For = std::move(For);
  Q.Use = R.Use;
  Q.Fitted = std::move(Fitted);
  return TargetPredictor(Q).predict({});
}

/// What the records of the base inputs hold.
MaybeError Fitting::record() {
  for (const Profile *B : Bases) {
    InBase.push_back(correspondingTo(*Bases[nearest()], *B));
    Expected<Problem> P = predict(*B, {}, {});
    if (!P)
      return P.takeError();
    Recorded.push_back(observe(*P, *B, InBase.back()));
  }
  return std::nullopt;
}

/// Predicts each base input from the nearest one, with the fits so far.
MaybeError Fitting::predictOthers() {
  const std::vector<uint32_t> Same =
      correspondingTo(*Bases[nearest()], *Bases[nearest()]);
  Predicted.clear();
  for (size_t I = 0; I < Bases.size(); ++I) {
    if (I == nearest()) {
      Predicted.push_back(Recorded[I]);
      continue;
    }
    Expected<Problem> P = predict(*Bases[nearest()],
                                  givenLike(Tables[I], OfTarget), valuesFor(I));
    if (!P)
      return P.takeError();
    Predicted.push_back(observe(*P, *Bases[nearest()], Same));
  }
  return std::nullopt;
}

/// \p Value(an input's quantities): one of them, if the input has it.
template <typename ValueT> Member Fitting::memberOf(ValueT Value) const {
  Member M;
  for (size_t I = 0; I < Bases.size(); ++I) {
    M.Recorded.push_back(Value(Recorded[I]));
    M.Predicted.push_back(Value(Predicted[I]));
  }
  return M;
}

void Fitting::choose(FitRow Row, const Series &S) {
  const std::optional<Choice> Its = chooseFit(S, Out.In);
  if (!Its)
    return;
  Row.Its = *Its;
  for (const Member &M : S.Members) {
    Row.Value += M.Recorded[nearest()].value_or(0);
    Row.Members += bool(M.Recorded[nearest()]);
  }
  Out.Rows.push_back(Row);
}

void Fitting::fitSizes() {
  for (const auto &Entry : Recorded[nearest()].Bytes) {
    const uint32_t Inst = Entry.first;
    const ek_raw_inst &I = Bases[nearest()]->Instances[Inst];
    if (I.ordinal == EK_RAW_SMALL)
      continue; // a pool of many blocks
    Series S;
    S.Least = figures().LeastFitBytes;
    S.Members.push_back(memberOf([&](const Observed &O) {
      auto It = O.Bytes.find(Inst);
      return It == O.Bytes.end() ? std::nullopt
                                 : std::optional<double>(It->second);
    }));
    choose({FitRow::Bytes, {}, nameOf(I), 0, 0, 0, false, {}}, S);
  }
}

/// The tasks \p Which of \p Type in \p O; null: it has none.
static const TaskValues *taskIn(const Observed &O, const TaskType &Type,
                                std::pair<uint32_t, uint32_t> Which) {
  auto Its = O.Tasks.find(Type);
  if (Its == O.Tasks.end())
    return nullptr;
  auto V = Its->second.find(Which);
  return V == Its->second.end() ? nullptr : &V->second;
}

void Fitting::fitObjects(FitRow::WhatType What) {
  for (const auto &Entry : Recorded[nearest()].Tasks) {
    const TaskType &Type = Entry.first;
    std::map<uint32_t, Series> ByObject;
    std::map<uint32_t, CountWay> Ways;
    for (const auto &[Task, V] : Entry.second)
      for (const auto &Demand : V.Objects) {
        const uint32_t Inst = Demand.first;
        const auto Which = Task;
        auto ValueIn = [&](const Observed &O) -> std::optional<double> {
          const TaskValues *T = taskIn(O, Type, Which);
          if (!T)
            return std::nullopt;
          auto Its = T->Objects.find(Inst);
          if (Its == T->Objects.end())
            return 0;
          return What == FitRow::Lines ? Its->second.Lines
                                       : Its->second.Accesses;
        };
        Series &S = ByObject[Inst];
        S.Least = What == FitRow::Lines ? figures().LeastFitLines
                                        : figures().LeastFitAccesses;
        S.Members.push_back(memberOf(ValueIn));
        for (const Observed &O : Predicted)
          if (const TaskValues *T = taskIn(O, Type, Which))
            if (auto Its = T->Objects.find(Inst); Its != T->Objects.end())
              Ways[Inst] = std::max(Ways[Inst], Its->second.Count);
      }
    for (const auto &[Inst, S] : ByObject)
      choose({What,
              Type,
              nameOf(Bases[nearest()]->Instances[Inst]),
              0,
              0,
              unsigned(Ways[Inst]),
              false,
              {}},
             S);
  }
}

void Fitting::fitCore() {
  for (const auto &Entry : Recorded[nearest()].Tasks) {
    const TaskType &Type = Entry.first;
    Series S;
    S.Least = figures().LeastFitSeconds;
    bool Determined = true;
    for (const auto &Task : Entry.second) {
      const auto Which = Task.first;
      S.Members.push_back(
          memberOf([&](const Observed &O) -> std::optional<double> {
            const TaskValues *T = taskIn(O, Type, Which);
            return T ? std::optional<double>(T->CoreSeconds) : std::nullopt;
          }));
      for (const Observed &O : Predicted)
        if (const TaskValues *T = taskIn(O, Type, Which))
          Determined &= T->Determined;
    }
    choose({FitRow::CoreTime, Type, {}, 0, 0, 0, Determined, {}}, S);
  }
}

Expected<SeveralBases> Fitting::run() {
  if (Out.In.Variables.empty())
    return std::move(Out);
  if (MaybeError E = record())
    return *E;
  // Each stage is judged with the results of those before it.
  if (MaybeError E = predictOthers())
    return *E;
  fitSizes();
  if (MaybeError E = predictOthers())
    return *E;
  fitObjects(FitRow::Accesses);
  if (MaybeError E = predictOthers())
    return *E;
  fitCore();
  fitObjects(FitRow::Lines);
  Out.Values = valuesFor(Bases.size());
  return std::move(Out);
}

Expected<size_t>
evenkeel::nearestBase(const PlanRequest &R,
                      const std::vector<const Profile *> &Bases,
                      const CommandLine &Target) {
  const std::vector<BaseTables> Tables = tablesOf(R, Bases);
  Expected<ValuesBySymbol> OfTarget = readGiven(Tables[0], R.For);
  if (!OfTarget)
    return OfTarget.takeError();
  return inputsOf(Tables, *OfTarget, Target).Nearest;
}

Expected<SeveralBases>
evenkeel::fitBases(const PlanRequest &R,
                   const std::vector<const Profile *> &Bases,
                   const CommandLine &Target) {
  std::vector<BaseTables> Tables = tablesOf(R, Bases);
  const auto At = std::find(Bases.begin(), Bases.end(), R.Base);
  const size_t From = size_t(At - Bases.begin());
  Expected<ValuesBySymbol> OfTarget = readGiven(Tables[From], R.For);
  if (!OfTarget)
    return OfTarget.takeError();
  Inputs In = withDifferent(inputsOf(Tables, *OfTarget, Target));
  In.Nearest = From;
  return Fitting(R, Bases, std::move(Tables), *OfTarget, std::move(In)).run();
}
