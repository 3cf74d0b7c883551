//===- Inventory.h - sites, regions and sync points of a module -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls create objects, start regions and make tasks wait.
// Makes: the inventory, best taken at PipelineStart, where IR and source agree
// one to one. `annotate` stores it in the module (!ek.id on calls,
// !ek.inventory for all entities), and `recall` finds it again after
// optimisation.
// Not here: accesses. Entities in system headers are only counted.
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
/// "sync-for", "global:tab"), Detail the specific kind ("malloc", "parallel",
/// "team") for files and printers.
struct InventoryEntry {
  enum class Group { Site, Region, Sync };

  Group Class = Group::Site;
  std::string Key, Detail;
  Place Where;
  unsigned Ordinal = 0;
  uint64_t Id = 0;
  SyncKind Wait = SyncKind::Barrier; // of a sync point
  bool Team = false;                 // a whole team reaches the sync point
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
  /// Sites of units that are not part of the program.
  std::vector<InventoryEntry> Unlinked;
};

void sortEntries(std::vector<InventoryEntry> &Entries);
Inventory takeInventory(llvm::Module &M);
/// Adds \p CB as a site of \p I. \p CB is a call through a pointer that may
/// call \p Callees, which allocate. Returns false if it has no place in the
/// project.
bool addIndirectSite(Inventory &I, const SourceMap &Source, llvm::CallBase &CB,
                     llvm::ArrayRef<const llvm::Function *> Callees);
void annotate(llvm::Module &M, const Inventory &I);
/// Stores in \p Program the sites of \p Unit, which was not linked into it.
void noteUnlinked(llvm::Module &Program, llvm::Module &Unit);
/// The same entities after optimisation; entries without IR are marked elided.
Inventory recall(llvm::Module &M);

/// Takes the inventory and stores it; changes metadata only.
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
