//===- InventoryNotes.cpp - the inventory as metadata ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the form in which a module carries its inventory through optimisation
// and links: strings and numbers only.
// Not here: how the inventory is taken (Inventory.cpp).
//===----------------------------------------------------------------------===//
#include "format/Identity.h"
#include "objects/Inventory.h"
#include "objects/WrapperCalls.h"
#include "unit/Calls.h"
#include "unit/GiveUps.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace evenkeel {

/// Returns \p E as metadata; strings and numbers only, so that it can be merged
/// and survives linking.
static MDNode *toMetadata(LLVMContext &C, const InventoryEntry &E) {
  auto Text = [&](StringRef S) { return MDString::get(C, S); };
  return MDNode::get(
      C,
      {Text(E.Key), Text(E.Detail), Text(E.Where.Path), Text(E.Where.Function),
       Text(std::to_string(E.Where.Line)), Text(std::to_string(E.Where.Column)),
       Text(std::to_string(E.Where.LineOffset)),
       Text(std::to_string(E.Ordinal)), Text(idToString(E.Id))});
}

static std::optional<InventoryEntry> fromMetadata(const MDNode &N) {
  if (N.getNumOperands() != 9)
    return std::nullopt;
  auto Text = [&](unsigned K) {
    auto *S = dyn_cast_or_null<MDString>(N.getOperand(K));
    return S ? S->getString() : StringRef();
  };
  InventoryEntry E;
  E.Key = Text(0).str();
  E.Detail = Text(1).str();
  if (std::optional<SyncKind> Wait = syncKindOfKey(E.Key)) {
    E.Class = InventoryEntry::Group::Sync;
    E.Wait = *Wait;
    E.Team = E.Detail == detailOfSync(/*Team=*/true);
  } else if (E.Key == RegionKey) {
    E.Class = InventoryEntry::Group::Region;
  }
  E.Where.Path = Text(2).str();
  E.Where.Function = Text(3).str();
  if (Text(4).getAsInteger(10, E.Where.Line) ||
      Text(5).getAsInteger(10, E.Where.Column) ||
      Text(6).getAsInteger(10, E.Where.LineOffset) ||
      Text(7).getAsInteger(10, E.Ordinal))
    return std::nullopt;
  E.Id = idFromString(Text(8).str());
  return E;
}

void annotate(Module &M, const Inventory &I) {
  LLVMContext &C = M.getContext();
  std::map<uint64_t, unsigned> Ordinal;
  for (const InventoryEntry &E : I.Entries)
    Ordinal[E.Id] = E.Ordinal;
  auto Tag = [&](CallBase *CB, uint64_t Id) {
    CB->setMetadata("ek.id",
                    MDNode::get(C, ConstantAsMetadata::get(ConstantInt::get(
                                       Type::getInt32Ty(C), Ordinal[Id]))));
  };
  for (auto &[CB, S] : I.Sites)
    Tag(CB, S.Id);
  for (auto &[CB, S] : I.Syncs)
    Tag(CB, S.Id);
  for (auto &[F, R] : I.Regions)
    for (User *U : F->users())
      if (auto *CB = dyn_cast<CallBase>(U); CB && outlinedCallee(*CB) == F)
        Tag(CB, R.Id);
  NamedMDNode *N = M.getOrInsertNamedMetadata("ek.inventory");
  for (const InventoryEntry &E : I.Entries)
    N->addOperand(toMetadata(C, E));
  for (auto &[Why, Number] : I.GiveUps)
    noteGiveUp(M, Why, Number);
}

void noteUnlinked(Module &Program, Module &Unit) {
  NamedMDNode *N = Program.getOrInsertNamedMetadata("ek.unlinked");
  for (const InventoryEntry &E : takeInventory(Unit).Entries)
    if (E.Class == InventoryEntry::Group::Site)
      N->addOperand(toMetadata(Program.getContext(), E));
}

Inventory recall(Module &M) {
  NamedMDNode *N = M.getNamedMetadata("ek.inventory");
  Inventory I = takeInventory(M);
  if (!N)
    return I;
  // Entries and give-ups describe the source, not the code that remains.
  std::map<std::pair<uint64_t, std::string>, InventoryEntry> ById;
  for (MDNode *Node : N->operands())
    if (auto E = fromMetadata(*Node))
      ById.try_emplace({E->Id, E->Where.at()}, *E);
  I.Entries.clear();
  for (auto &[Id, E] : ById)
    I.Entries.push_back(E);
  sortEntries(I.Entries);
  uint64_t Lost = I.GiveUps["ordinal-lost"];
  I.GiveUps.clear();
  if (Lost)
    I.GiveUps["ordinal-lost"] = Lost;
  if (NamedMDNode *U = M.getNamedMetadata("ek.unlinked"))
    for (MDNode *Node : U->operands())
      if (auto E = fromMetadata(*Node))
        I.Unlinked.push_back(*E);
  for (const auto &[Why, Number] : notedGiveUps(M))
    I.GiveUps[Why] += Number;
  return I;
}

PreservedAnalyses InventoryPass::run(Module &M, ModuleAnalysisManager &) {
  if (M.getNamedMetadata("ek.inventory"))
    return PreservedAnalyses::all();
  Inventory I = takeInventory(M);
  SourceMap(M).remember();
  noteWrappers(M);
  annotate(M, I);
  return PreservedAnalyses::all();
}

PreservedAnalyses InventoryPrinter::run(Module &M, ModuleAnalysisManager &) {
  Inventory I = recall(M);
  for (const InventoryEntry &E : I.Entries)
    OS << E.Key << ' ' << E.Detail << ' ' << E.Where.at() << " in "
       << E.Where.Function << " id=" << idToString(E.Id) << '\n';
  for (auto &[Why, Number] : I.GiveUps)
    OS << "skipped " << Why << ' ' << Number << '\n';
  return PreservedAnalyses::all();
}

} // namespace evenkeel
