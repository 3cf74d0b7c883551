//===- Sizes.cpp - sizes of objects on the target -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ways to determine a size, from most to least certain: a hook saw
// it, a formula gives it, the object grows with its accesses; else it is the
// base size.
// Makes: instances with their sizes and how each was determined, and their
// units.
//===----------------------------------------------------------------------===//
#include "Formulas.h"
#include "Instances.h"
#include "ObjectSizes.h"
#include "predict/symbols/Evaluate.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

const char *evenkeel::prediction::text(SizeWay W) {
  switch (W) {
  case SizeWay::Known:
    return "known at the hook";
  case SizeWay::Small:
    return "smaller than what is placed";
  case SizeWay::Formula:
    return "size formula";
  case SizeWay::FormulaScaled:
    return "size formula, a symbol scaled";
  case SizeWay::Bases:
    return "fit over several base inputs";
  case SizeWay::NotGiven:
    return "base size: its formula names nothing given";
  case SizeWay::Accesses:
    return "scaled like its accesses";
  case SizeWay::Base:
    break;
  }
  return "base size kept";
}

namespace {
/// A determined size; Way = Base: unknown.
struct Size {
  SizeWay Way = SizeWay::Base;
  double Bytes = 0;
  double Old = 0;        // its base size
  bool NotGiven = false; // PredictedInstance::SizeNotGiven
};

/// The size of one instance.
class Sizing {
  const BaseTables &Base;
  const SymbolValues &Given;
  const AccessGrowth &Growth;
  const FittedRows &Fits;
  const Rules &Use;
  std::map<std::string, unsigned> &Methods;

  bool byFormula(const ek_raw_inst &I, double Old,
                 const SiteFact::Caller *Whose, Size &Out) const;
  bool ofSmall(const ek_raw_inst &I, Size &Out) const;

public:
  Sizing(const BaseTables &Base, const SymbolValues &Given,
         const AccessGrowth &Growth, const FittedRows &Fits, const Rules &Use,
         std::map<std::string, unsigned> &Methods)
      : Base(Base), Given(Given), Growth(Growth), Fits(Fits), Use(Use),
        Methods(Methods) {}

  /// \p Ordinal may change.
  Size of(uint32_t Inst, const InstanceMatch &Match, uint32_t &Ordinal) const;
};
} // namespace

bool Sizing::byFormula(const ek_raw_inst &I, double Old,
                       const SiteFact::Caller *Whose, Size &Out) const {
  const SiteFact *S = Base.F.site(I.site);
  if (!S)
    return false;
  const FormulaSize X =
      sizeByFormula(Base, Given, *S, makerOf(Base, I), Old, Whose);
  if (X.Says == FormulaSize::Differ)
    ++Methods["size: formulas of several callers fit and differ"];
  if (X.Says == FormulaSize::Found)
    Out = {X.Scaled ? SizeWay::FormulaScaled : SizeWay::Formula, X.Bytes, Old};
  else if (X.Says == FormulaSize::NotGiven)
    Out = {SizeWay::NotGiven, Old, Old, true};
  return X.Says == FormulaSize::Found || X.Says == FormulaSize::NotGiven;
}

/// One of a site's small blocks may be large on the target.
bool Sizing::ofSmall(const ek_raw_inst &I, Size &Out) const {
  const double Block = smallBytes(Base, I);
  Size X;
  if (!byFormula(I, Block, nullptr, X))
    return false;
  if (X.Bytes < LargeBytes || Block >= LargeBytes) {
    Out.NotGiven |= X.NotGiven;
    return false;
  }
  Out = X;
  return true;
}

Size Sizing::of(uint32_t Inst, const InstanceMatch &Match,
                uint32_t &Ordinal) const {
  const ek_raw_inst &I = Base.B.Instances[Inst];
  const auto Old = static_cast<double>(I.bytes);
  Size Out{SizeWay::Base, Old, Old};
  if (Match.Known) {
    // If blocks are small on both inputs, both sizes are those of pools.
    const bool OneBlock =
        I.ordinal == EK_RAW_SMALL && Match.Known->Ordinal != EK_RAW_SMALL;
    return {SizeWay::Known, Match.Known->Bytes,
            OneBlock ? smallBytes(Base, I) : Old};
  }
  if (Match.BelowLarge) {
    if (!EK_RAW_IS_SMALL(Ordinal))
      Ordinal = EK_RAW_SMALL;
    return {SizeWay::Small, std::min(Old, LargeBytes), Old};
  }
  if (const FittedGrowth *F = Fits.sizeOf(Inst))
    return {SizeWay::Bases, Old * F->Times, Old};
  if (I.ordinal == EK_RAW_SMALL && ofSmall(I, Out)) {
    Ordinal = 0;
    return Out;
  }
  if (byFormula(I, Old, callerOf(Base.F, I), Out))
    return Out;
  if (Use.SizeByAccesses)
    if (std::optional<double> Bytes = sizeByAccesses(Growth, I.site, Old))
      return {SizeWay::Accesses, *Bytes, Old, Out.NotGiven};
  return Out;
}

static PredictedInstance instanceOf(const ek_raw_inst &I,
                                    const InstanceMatch &Match) {
  PredictedInstance N = instanceNamed(nameOf(I));
  N.Ordinal = Match.Ordinal;
  N.InContext = Match.InContext;
  N.AllocPhase = I.alloc_phase;
  N.FreePhase = I.free_phase;
  return N;
}

static void setSize(ObjectSizes &Out, size_t I, const Size &S) {
  Out.Instances[I].Bytes = S.Bytes;
  Out.Instances[I].Method = text(S.Way);
  Out.Instances[I].SizeNotGiven |= S.NotGiven;
  Out.Way[I] = S.Way;
  Out.Ratio[I] = S.Old > 0 ? S.Bytes / S.Old : 1;
}

ObjectSizes evenkeel::prediction::predictSizes(
    const BaseTables &Base, const SymbolValues &Given,
    const AccessGrowth &Growth, const std::vector<PredictedInstance> &Known,
    const FittedRows &Fits, const Rules &Use) {
  const std::vector<ek_raw_inst> &Old = Base.B.Instances;
  const std::vector<InstanceMatch> Matches =
      matchInstances(Old, Known, LargeBytes);
  ObjectSizes Out;
  Out.Way.resize(Old.size());
  Out.Ratio.resize(Old.size());
  const Sizing Sizes(Base, Given, Growth, Fits, Use, Out.Methods);
  std::vector<double> OldBytes;
  for (size_t I = 0; I < Old.size(); ++I) {
    PredictedInstance &N =
        Out.Instances.emplace_back(instanceOf(Old[I], Matches[I]));
    const Size S = Sizes.of(uint32_t(I), Matches[I], N.Ordinal);
    setSize(Out, I, S);
    OldBytes.push_back(S.Old);
  }
  for (const PredictedInstance &N : Out.Instances)
    ++Out.Methods["size: " + N.Method];
  numberGrown(Old, LargeBytes, Out.Instances);
  // Small blocks that are placed have their ordinals by now.
  std::map<InstanceKey, double> Bytes;
  for (const PredictedInstance &K : Known)
    Bytes[keyOf(nameOf(K))] = K.Bytes;
  for (size_t I = 0; I < Old.size(); ++I)
    if (auto K = Bytes.find(keyOf(nameOf(Out.Instances[I])));
        K != Bytes.end() && Out.Way[I] != SizeWay::Known &&
        EK_RAW_IS_SMALL(Old[I].ordinal))
      setSize(Out, I, {SizeWay::Known, K->second, OldBytes[I]});
  return Out;
}

std::vector<Unit>
evenkeel::prediction::unitsOf(const std::vector<PredictedInstance> &Instances) {
  std::vector<Unit> Out;
  for (uint32_t I = 0; I < Instances.size(); ++I) {
    const double Bytes = Instances[I].Bytes;
    // A smaller unit is not worth a decision of its own.
    unsigned Parts = 1;
    while (Parts < EK_CHUNKS && Bytes / (2 * Parts) >= LargeBytes)
      Parts *= 2;
    for (unsigned K = 0; K < Parts; ++K) {
      Unit U;
      U.Instance = I;
      U.From = K * (EK_CHUNKS / Parts);
      U.To = (K + 1) * (EK_CHUNKS / Parts);
      U.Bytes = Bytes / Parts;
      Out.push_back(U);
    }
  }
  return Out;
}
