//===- SymbolTable.cpp - symbols of formulas ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which values of a program are symbols (named values and numbers known
// only at run time), their ids, their display names, and the copies of them
// made by inlining.
// Not here: symbols in terms of other symbols (Definitions.cpp).
//===----------------------------------------------------------------------===//
#include "access/formulas/SymbolTable.h"
#include "access/loops/Words.h"
#include "unit/Calls.h"
#include "unit/DebugTypes.h"
#include "unit/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace evenkeel {

/// A helper inlined into several regions has one coordinate but several
/// meanings, so the region's function is prepended. Empty otherwise, because
/// inlining into ordinary functions depends on how units are linked.
std::string SymbolTable::qualifier(const Place &P,
                                   const FunctionInfo &FI) const {
  if (!isOutlinedHelper(*FI.F))
    return "";
  Place Own = Source.locateFunction(FI.F->getSubprogram());
  return Own.Function == P.Function ? "" : Own.Function + ":";
}

/// The size of the target of a pointer of type \p T; 0: not known.
static uint64_t sizeOfTarget(const DIType *T) {
  auto *D = dyn_cast_or_null<DIDerivedType>(unqualified(T));
  const DIType *To = D && D->getTag() == dwarf::DW_TAG_pointer_type
                         ? unqualified(D->getBaseType())
                         : nullptr;
  return To ? To->getSizeInBits() / 8 : 0;
}

/// Names a number of elements as C would: the difference of two pointers,
/// divided by the elements per step if steps are longer (p += 2). None if the
/// names are not the function's own (iterators inlined from a library have the
/// same names everywhere).
static std::optional<SourceName> nameOfDistance(const Distance &D,
                                                const Function &F) {
  std::optional<SourceName> To = nameOfValue(D.To), From = nameOfValue(D.From);
  const DISubprogram *Own = F.getSubprogram();
  if (!To || !From || To->Text == From->Text || To->Function != Own ||
      From->Function != Own)
    return std::nullopt;
  SourceName Name = *From;
  Name.Text = "(" + To->Text + " - " + From->Text + ")";
  uint64_t Element = sizeOfTarget(To->Type);
  if (Element && Element == sizeOfTarget(From->Type) &&
      D.Size % int64_t(Element) == 0 && D.Size != int64_t(Element))
    Name.Text += "/" + std::to_string(D.Size / int64_t(Element));
  Name.OfValue = true;
  return Name;
}

/// The function in which \p V is a value; null: everywhere. Inlined copies of a
/// function have values of their own for the same variable.
static const Function *functionOf(const Value &V) {
  if (auto *A = dyn_cast<Argument>(&V))
    return A->getParent();
  auto *I = dyn_cast<Instruction>(&V);
  return I ? I->getFunction() : nullptr;
}

/// The value of \p V where it was captured; null: forks capture different
/// values.
static const Value *rootOf(const Value *V,
                           const CallGraph::CallMap &CallSites) {
  constexpr unsigned Most = 8;
  for (unsigned Step = 0; Step < Most; ++Step) {
    if (isa<CastInst>(V)) {
      V = cast<CastInst>(V)->getOperand(0);
      continue;
    }
    if (auto *Load = dyn_cast<LoadInst>(V)) { // the value it is loaded from
      V = Load->getPointerOperand();
      continue;
    }
    if (auto *Slot = dyn_cast<AllocaInst>(V)) { // captured: the value stored
                                                // there
      const Value *Held = nullptr;
      for (const User *U : Slot->users())
        if (auto *S = dyn_cast<StoreInst>(U);
            S && S->getPointerOperand() == Slot) {
          if (Held)
            return Slot;
          Held = S->getValueOperand();
        }
      if (!Held)
        return Slot;
      V = Held;
      continue;
    }
    if (isa<GetElementPtrInst>(V))
      return nullptr;
    auto *A = dyn_cast<Argument>(V);
    auto Calls = A && isOutlinedHelper(*A->getParent())
                     ? CallSites.find(A->getParent())
                     : CallSites.end();
    const Value *From = nullptr;
    if (Calls != CallSites.end())
      for (const CallBase *CB : Calls->second) {
        const Value *One = handedOver(*CB, *A);
        if (!One || (From && From != One))
          return nullptr;
        From = One;
      }
    if (!From) // the arguments of tasks are not known
      return A && isOutlinedHelper(*A->getParent()) ? nullptr : V;
    V = From;
  }
  return V;
}

/// Whether \p Text names a variable, or members of one, as in `a.b->n`.
static bool isPlainName(StringRef Text) {
  bool Starts = true; // a word starts here
  while (!Text.empty()) {
    if (!Starts && Text.consume_front("->"))
      Starts = true;
    else if (!Starts && Text.consume_front("."))
      Starts = true;
    else if (Text[0] == '_' || isAlpha(Text[0]) ||
             (!Starts && isDigit(Text[0]))) {
      Starts = false;
      Text = Text.drop_front();
    } else {
      return false;
    }
  }
  return !Starts;
}

/// Whether \p V has its value before the region \p F, an outlined function,
/// begins: it is captured, global, or a member of such a variable.
static bool comesFromOutside(const Value *V) {
  constexpr unsigned Most = 8;
  for (unsigned Step = 0; Step < Most; ++Step) {
    if (isa<Argument>(V) || isa<GlobalVariable>(V))
      return true;
    if (auto *C = dyn_cast<CastInst>(V)) {
      V = C->getOperand(0);
    } else if (auto *L = dyn_cast<LoadInst>(V)) {
      V = L->getPointerOperand();
    } else if (auto *G = dyn_cast<GEPOperator>(V);
               G && G->hasAllConstantIndices()) {
      V = G->getPointerOperand();
    } else {
      return false;
    }
  }
  return false;
}

/// Distinguishes overloads in the ids under which values are handed over. A
/// static function of a header has one such id in all units, unlike other ids,
/// because the units share its text.
static std::string linkNameOf(const DISubprogram *SP) {
  return SP && SP->getLinkageName().starts_with("_Z")
             ? (" " + SP->getLinkageName().split('.').first).str()
             : "";
}

/// Whether code before the region may read \p V, which has the name \p Text in
/// it: its value comes from outside and, if it is reached through a pointer,
/// all threads read it.
static bool isReadableBefore(const Value *V, StringRef Text,
                             const FunctionInfo &FI) {
  if (!isOutlinedHelper(*FI.F))
    return true;
  if (!comesFromOutside(V))
    return false;
  Text.consume_front("this->");
  auto *I = dyn_cast<Instruction>(V);
  return !I || !Text.contains("->") ||
         FI.PDT->dominates(I->getParent(), &FI.F->getEntryBlock());
}

/// \p P, the place of \p V, or the place of its caller in the user's code:
/// people do not know places in a library's headers.
Place SymbolTable::placeForPeople(const Place &P, const Value &V) const {
  auto *I = dyn_cast<Instruction>(&V);
  if (I && P.System)
    if (Place User = Source.locateUser(I->getDebugLoc()); User.known())
      return User;
  return P;
}

uint64_t SymbolTable::valueSymbol(Value *V, const FunctionInfo &FI,
                                  function_ref<CountRef()> GrowsWith) {
  if (auto It = LeafIds.find(V); It != LeafIds.end())
    return It->second;
  std::optional<Distance> Apart = distanceOf(V);
  std::optional<SourceName> Name =
      Apart ? nameOfDistance(*Apart, *FI.F) : nameOfValue(V);
  const DISubprogram *SP =
      Name && Name->Function ? Name->Function : FI.F->getSubprogram();
  Place P = Source.locateFunction(SP);
  P.LineOffset = 0;
  SymbolLeaf Leaf;
  SymbolRow Row;
  Row.PerTask = !Same.isProgramWide(V, *FI.F);
  std::string What;
  unsigned Ordinal = 0;
  if (Name) {
    What = Name->Text;
    Row.Kind = Row.PerTask || Apart ? SymbolLeaf::Derived : SymbolLeaf::Given;
    if (Name->OfValue)
      Ordinal = ValueOrdinals[(FI.F->getName() + "\n" + What).str()]++;
    Row.At = P.at();
  } else {
    auto *I = dyn_cast<Instruction>(V);
    Place At = !I      ? Place()
               : Apart ? Source.locateUser(I->getDebugLoc())
                       : Source.locate(I->getDebugLoc());
    if (At.known())
      P = At;
    What = Apart ? "elements" : "value";
    Row.Kind = SymbolLeaf::Derived; // a value, not a total like a block count
    // A value without a place uses the source function's, which is split into
    // several functions if it contains regions.
    const std::string Within = At.known() ? FI.F->getName().str() : P.Function;
    Ordinal = ValueOrdinals[Within + "\n" + P.at()]++;
    Row.At = P.at();
  }
  std::string Outer = qualifier(P, FI);
  const std::string Which = "symbol:" + Outer + What + Source.instance(SP);
  Row.Id = idAt(Which, P, Ordinal);
  // A variable that is written between two loads is two symbols; so is a
  // variable that is assigned between its capture and its use.
  auto *Load = dyn_cast<LoadInst>(V);
  const Value *Root = Name ? rootOf(V, Graph.CallSites) : nullptr;
  auto IsOther = [&] {
    if (Load && Name && !Name->OfValue &&
        any_of(LoadsOf[Row.Id], [&](const LoadInst *Other) {
          return Same.differ(*Other, *Load);
        }))
      return true;
    auto Known = RootOf.find(Row.Id);
    return Root && Known != RootOf.end() && Known->second != Root &&
           functionOf(*Known->second) == functionOf(*Root);
  };
  while (IsOther())
    Row.Id = idAt(Which, P, ++Ordinal);
  if (Name && !Apart && Outer.empty() && isPlainName(Name->Text) &&
      isReadableBefore(V, Name->Text, FI))
    Row.HandedAs = idAt("symbol:" + What + linkNameOf(Source.source(SP)), P);
  if (Load && Name && !Name->OfValue)
    LoadsOf[Row.Id].push_back(Load);
  if (Root)
    RootOf[Row.Id] = Root;
  const Place User = Name ? P : placeForPeople(P, *V);
  Row.Name = Outer + User.Function + (Outer.empty() ? ":" : ".") + What;
  if (!Name) {
    Row.Name +=
        "." + std::to_string(User.Line) + "." + std::to_string(User.Column);
    Row.At = User.at();
  }
  if (Ordinal)
    Row.Name += "#" + std::to_string(Ordinal);
  // The same variable may have been entered before, where it is captured.
  SymbolRow &Kept = Rows.try_emplace(Row.Id, Row).first->second;
  if (!Kept.HandedAs)
    Kept.HandedAs = Row.HandedAs;
  CountRef &ScalesWith = Kept.ScalesWith;
  if (!ScalesWith)
    ScalesWith = GrowsWith();
  Leaf.Id = Row.Id;
  Leaf.Kind = Row.Kind;
  Leaf.PerTask = Row.PerTask;
  Leaf.V = V;
  Leaf.Signed = isRecordedSigned(*V);
  Leaf.F = FI.F;
  Leaf.Name = Row.Name;
  Leaves.push_back(Leaf);
  // A load repeated because a store might have changed its value, though it
  // does not, may be in rarely executed code; other loads report the same
  // value.
  if (Load && Loads.Home.count(Load))
    for (Instruction &I : instructions(*FI.F))
      if (auto *Other = dyn_cast<LoadInst>(&I);
          Other && Other != Load && Other->getType() == Load->getType() &&
          FI.SE->getSCEV(Other->getPointerOperand()) ==
              FI.SE->getSCEV(Load->getPointerOperand())) {
        Leaf.V = Other;
        OutOfLine.push_back(Leaf);
      }
  return LeafIds[V] = Row.Id;
}

/// Makes a symbol whose value is known only at run time. Copies of one place,
/// inlined into several functions, are distinguished by where they were
/// inlined. Because other units may see one copy only, the recorder records
/// both forms (see chooseCopies).
uint64_t SymbolTable::measure(StringRef What, Value *V, BasicBlock *B,
                              DebugLoc D, const FunctionInfo &FI,
                              std::optional<unsigned> Nth,
                              CountRef ScalesWith) {
  Place P = D ? Source.locateUser(D) : Place();
  if (!P.known())
    P = Source.locateFunction(FI.F->getSubprogram());
  std::string Chain;
  for (const DILocation *At = D ? D->getInlinedAt() : nullptr; At;
       At = At->getInlinedAt())
    if (Place Q = Source.locate(At); Q.known())
      Chain += " < " + Q.Function + ":" + Q.at() +
               Source.instance(At->getScope()->getSubprogram());
  const DISubprogram *Within =
      D ? D->getScope()->getSubprogram() : FI.F->getSubprogram();
  std::string Key = (What + FI.F->getName() + "\n" + P.at()).str();
  unsigned Ordinal = Nth ? *Nth : BlockOrdinals[Key]++;
  SymbolRow Row;
  std::string Outer = qualifier(P, FI);
  Row.Kind = SymbolLeaf::Measured;
  Row.PerTask = Graph.OnTeam.count(FI.F);
  Row.At = P.at();
  Row.Name = Outer.empty() ? P.Function + ":" : Outer + P.Function + ".";
  Row.Name += What.str() + "." + std::to_string(P.Line);
  if (Ordinal)
    Row.Name += "#" + std::to_string(Ordinal);
  if (ScalesWith && ScalesWith->Kind != Count::Const)
    Row.ScalesWith = ScalesWith;
  auto Make = [&](const std::string &Of, unsigned Ordinal) {
    Row.Id = idAt("symbol:" + Outer + Of + Source.instance(Within), P, Ordinal);
    Rows.try_emplace(Row.Id, Row);
    CountedIn[Row.Id].push_back(FI.F);
    SymbolLeaf Leaf;
    Leaf.Id = Row.Id;
    Leaf.Kind = Row.Kind;
    Leaf.PerTask = Row.PerTask;
    Leaf.V = V;
    Leaf.Block = B;
    if (Loop *L = B ? FI.LI->getLoopFor(B) : nullptr)
      Leaf.LeftByCalls = Ways.isLeftByCalls(*L->getOutermostLoop());
    Leaf.F = FI.F;
    Leaf.Name = Row.Name;
    return Leaf;
  };
  Leaves.push_back(Make(What.str(), Ordinal));
  uint64_t Plain = Leaves.back().Id;
  ++Copies[Plain];
  // The original function is a copy, too, if there are inlined copies.
  bool Alone = Chain.empty();
  if (Alone)
    Chain = " < " + FI.F->getName().str();
  SymbolLeaf Own = Make(What.str() + Chain, Ordinal);
  PlainOf[Own.Id] = Plain;
  (Alone ? OutOfLine : Leaves).push_back(Own);
  return Own.Id;
}

/// Records out-of-line originals only if inlined copies may exist: here, or in
/// another unit with the same inline function. Other loads of a value are
/// recorded anyway.
void SymbolTable::recordOutOfLine() {
  for (const SymbolLeaf &L : OutOfLine)
    if (L.V || Copies.at(PlainOf.at(L.Id)) > 1 || L.F->hasLinkOnceLinkage())
      Leaves.push_back(L);
}

/// If a place has only one copy in the module, uses its plain symbol, which is
/// also valid for units that inlined it elsewhere.
CountRef SymbolTable::chooseCopies(const CountRef &C) const {
  if (!C || C->Kind == Count::Const || C->Kind == Count::Index)
    return C;
  if (C->Kind == Count::Symbol) {
    auto It = PlainOf.find(C->Sym);
    return It != PlainOf.end() && Copies.at(It->second) == 1
               ? countSymbol(It->second)
               : C;
  }
  std::vector<CountRef> Args;
  for (const CountRef &A : C->Args)
    Args.push_back(chooseCopies(A));
  return countOp(C->Name, Args);
}

/// The lines that a block operation touches, over all its executions in a task;
/// \p Source: the lines that it reads.
uint64_t SymbolTable::linesSymbol(MemIntrinsic &I, bool Source,
                                  const FunctionInfo &FI, CountRef ScalesWith) {
  auto &Ids = Source ? SourceIds : LeafIds;
  if (auto It = Ids.find(&I); It != Ids.end())
    return It->second;
  size_t First = Leaves.size();
  uint64_t Id = measure("lines", &I, nullptr, I.getDebugLoc(), FI, std::nullopt,
                        ScalesWith);
  for (SymbolLeaf &L : MutableArrayRef(Leaves).drop_front(First))
    L.OfSource = Source;
  return Ids[&I] = Id;
}

/// The name of \p What in a symbol's id and name.
static StringRef nameOf(BlockCount What) {
  switch (What) {
  case BlockCount::Trips:
    return "trip";
  case BlockCount::Taken:
    return "taken";
  case BlockCount::Calls:
    break;
  }
  return "calls";
}

/// The reason why \p What is a symbol: it has no formula.
static const char *reasonFor(BlockCount What) {
  switch (What) {
  case BlockCount::Trips:
    return "unknown-trip-count";
  case BlockCount::Taken:
    return "conditional";
  case BlockCount::Calls:
    break;
  }
  return "unknown-number-of-calls";
}

/// The id under which compiled code hands over the total of the loop \p L in
/// each thread of the region \p FI; 0: the loop is not in the region's own
/// text.
static uint64_t totalOf(const Loop &L, const FunctionInfo &FI,
                        const SourceMap &Source) {
  const DILocation *D = L.getStartLoc();
  if (!D || !isOutlinedHelper(*FI.F))
    return 0;
  const DISubprogram *SP = Source.source(D->getScope()->getSubprogram());
  // With debug information, the region is a function in another one.
  for (const DILocation *At = D->getInlinedAt(); At; At = At->getInlinedAt())
    if (Source.source(At->getScope()->getSubprogram()) != SP)
      return 0;
  const Place P = Source.locate(D);
  return P.known() && !P.System && !P.Included &&
                 SP == Source.source(FI.F->getSubprogram())
             ? idAt("symbol:total" + linkNameOf(SP), P)
             : 0;
}

/// How often the block \p B runs in a task.
uint64_t SymbolTable::blockSymbol(BasicBlock *B, BlockCount What,
                                  const FunctionInfo &FI, CountRef ScalesWith) {
  if (auto It = LeafIds.find(B); It != LeafIds.end())
    return It->second;
  Loop *L = FI.LI->getLoopFor(B);
  bool Header = L && L->getHeader() == B;
  DebugLoc D;
  if (Header)
    D = L->getStartLoc();
  else if (What != BlockCount::Calls)
    for (Instruction &I : *B)
      if (!D && I.getDebugLoc() && !isa<DbgInfoIntrinsic>(I))
        D = I.getDebugLoc();
  uint64_t Id = measure(
      nameOf(What), nullptr, B, D, FI,
      Header ? std::optional<unsigned>(FI.LoopOrdinal.lookup(L)) : std::nullopt,
      ScalesWith);
  if (Header && What == BlockCount::Trips)
    Rows.at(Id).HandedAs = Rows.at(PlainOf.at(Id)).HandedAs =
        totalOf(*L, FI, Source);
  ++GiveUps[reasonFor(What)];
  return LeafIds[B] = Id;
}

/// Gives distinct symbols distinct names, in the order of their coordinates.
void SymbolTable::finishNames(const std::set<uint64_t> &Used) {
  std::map<std::string, std::vector<SymbolRow *>> ByName;
  for (auto &[Id, Row] : this->Rows)
    if (Used.count(Id))
      ByName[Row.Name].push_back(&Row);
  for (auto &[Name, Rows] : ByName) {
    llvm::sort(Rows, [](const SymbolRow *A, const SymbolRow *B) {
      return std::tie(A->At, A->Id) < std::tie(B->At, B->Id);
    });
    for (size_t K = 1; K < Rows.size(); ++K)
      Rows[K]->Name += "~" + std::to_string(K);
  }
}

void SymbolTable::dropLeaves(
    size_t First, function_ref<bool(const SymbolLeaf &)> IsIntermediate) {
  Leaves.erase(
      std::remove_if(Leaves.begin() + First, Leaves.end(), IsIntermediate),
      Leaves.end());
}

/// Shows only symbols that formulas use. The recorder records all of them,
/// because other units' regions may call into this unit.
SymbolTable::Finished
SymbolTable::finish(const SymbolRelations &Related, UsedSymbols UsedBy,
                    function_ref<bool(uint64_t)> Assumes) && {
  for (auto &[Id, C] : Related.Values)
    Rows.at(Id).Value = C;
  for (auto &[Id, C] : Related.Growth)
    Rows.at(Id).ScalesWith = C;
  for (auto &[Id, C] : Related.Inputs)
    Rows.at(Id).Input = C;
  for (auto &[Id, Row] : Rows)
    for (CountRef *C : {&Row.ScalesWith, &Row.Value})
      *C = chooseCopies(*C);
  recordOutOfLine();
  const std::set<uint64_t> Used = UsedBy(Rows);
  finishNames(Used);
  Finished Out;
  for (auto &[Id, Row] : Rows)
    if (Used.count(Id)) {
      Row.NotBelow0 = Row.Kind != SymbolLeaf::Measured && Assumes(Id);
      Out.Rows.push_back(Row);
    }
  Out.Leaves = std::move(Leaves);
  for (SymbolLeaf &L : Out.Leaves)
    L.Name = Rows.at(L.Id).Name;
  return Out;
}

/// Whether \p C has the same value in every task.
bool SymbolTable::isProgramWide(const CountRef &C) const {
  if (C->Kind == Count::Symbol)
    return !Rows.at(C->Sym).PerTask;
  return all_of(C->Args, [&](const CountRef &A) { return isProgramWide(A); });
}

SymbolTable::SymbolTable(const SourceMap &Source, const CallGraph &Graph,
                         const HoistedLoads &Loads, const LeavingCalls &Ways,
                         const Sameness &Same, const RegionBodies &Bodies)
    : Source(Source), Graph(Graph), Loads(Loads), Ways(Ways), Same(Same) {
  for (const RegionBodies::Symbol &S : Bodies.Symbols) {
    Rows.try_emplace(S.Row.Id, S.Row);
    Leaves.push_back(S.Leaf);
  }
}

ArrayRef<Function *> SymbolTable::countedIn(uint64_t Id) const {
  auto It = CountedIn.find(Id);
  return It == CountedIn.end() ? ArrayRef<Function *>() : It->second;
}

} // namespace evenkeel
