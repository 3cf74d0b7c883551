//===- Inventory.h - sites, regions and sync points of a module -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls create objects, start regions and make tasks wait.
// Makes: the inventory, best taken at PipelineStart where IR and source agree
// one to one; `annotate` leaves it in the module (!ek.id on the calls,
// !ek.inventory for all), `recall` finds it again after optimisation.
// Leaves out: accesses. System headers have no entities, only a count.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_INVENTORY_H
#define EVENKEEL_PASSES_OBJECTS_INVENTORY_H

#include "objects/CallChains.h"
#include "objects/Entities.h"
#include "unit/Source.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <optional>

namespace evenkeel {

/// One entity. Key is the kind that enters the id ("site", "region",
/// "sync-for", "global:tab"), Detail the rest ("malloc", "parallel", "team").
struct InventoryEntry {
  std::string Key, Detail;
  Place Where;
  unsigned Ordinal = 0;
  uint64_t Id = 0;
};

struct Inventory {
  std::vector<InventoryEntry> Entries; // sorted, unique by id
  llvm::MapVector<llvm::CallBase *, SiteInfo> Sites;
  llvm::MapVector<llvm::GlobalVariable *, SiteInfo> Globals;
  llvm::MapVector<llvm::AllocaInst *, SiteInfo> Stacks;
  llvm::MapVector<llvm::Function *, RegionInfo> Regions;
  llvm::MapVector<llvm::CallBase *, SyncInfo> Syncs;
  std::map<std::string, uint64_t> GiveUps;
  std::shared_ptr<const ContextFinder> Contexts;
  /// Sites of units that are no part of the program.
  std::vector<InventoryEntry> Unlinked;
};

bool isSite(const InventoryEntry &E);
void sortEntries(std::vector<InventoryEntry> &Entries);
Inventory takeInventory(llvm::Module &M);
/// Makes \p CB, through a pointer that may be one of \p Callees that allocate,
/// a site of \p I. False: it has no place in the project.
bool addIndirectSite(Inventory &I, const SourceMap &Source, llvm::CallBase &CB,
                     llvm::ArrayRef<const llvm::Function *> Callees);
void annotate(llvm::Module &M, const Inventory &I);
/// Leaves the sites of \p Unit, which \p Program was linked without, in it.
void noteUnlinked(llvm::Module &Program, llvm::Module &Unit);
/// The same entities after optimisation; entries without IR are elided.
Inventory recall(llvm::Module &M);

/// Takes and leaves the inventory; changes metadata only.
struct InventoryPass : llvm::PassInfoMixin<InventoryPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

/// print<ek-inventory>: one line per entity, "KEY DETAIL PATH:LINE:COL in
/// FUNCTION id=ID", sorted, then "skipped REASON N".
class InventoryPrinter : public llvm::PassInfoMixin<InventoryPrinter> {
  llvm::raw_ostream &OS;

public:
  explicit InventoryPrinter(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace evenkeel

#endif
