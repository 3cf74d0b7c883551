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

#include "access/Access.h"
#include "format/Allocators.h"
#include "objects/WrapperCalls.h"
#include "unit/Source.h"

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

/// How a call allocates. Arguments are those of the call, from 0; -1: none.
struct Allocation {
  std::string Kind; // malloc, calloc, ..., new, new[], or the function
  AllocatorOrigin From = AllocatorOrigin::Heap;
  int Size = -1, Count = -1; // their product is the size
  int Out = -1;              // where the block's address goes, if not returned
  int Old = -1;              // the block whose contents move on
};

/// What \p CB allocates: by the name of what it calls, by what people say
/// (EVENKEEL_ALLOCATORS), or by what its declaration says of the result.
std::optional<Allocation> allocationOf(const llvm::CallBase &CB);
/// The same of a call of \p F, which may be chosen at run time.
std::optional<Allocation> allocationOf(const llvm::CallBase &CB,
                                       const llvm::Function &F);
/// Keeps the allocators that people name whole, and their calls apart: they are
/// objects' sites, whatever is inside. For code that is only analysed.
void keepNamedAllocators(llvm::Module &M);
bool isNamedAllocator(const llvm::Function &F);
/// Arguments that an annotated allocation (ek_malloc and its kin) has in front
/// of those of the function it stands for: 0, 1 or 2.
unsigned annotationArguments(const llvm::CallBase &CB);
/// The function a fork call runs on every thread, or a task allocation's task.
llvm::Function *outlinedCallee(const llvm::CallBase &CB);
bool isForkCall(const llvm::CallBase &CB);
/// What \p CB, a call of the argument's function or a fork that runs it, hands
/// over for \p A; null: nothing.
const llvm::Value *handedOver(const llvm::CallBase &CB,
                              const llvm::Argument &A);
/// Of a fork call's arguments, the first that the body captures; the body has
/// two of the runtime's before.
unsigned firstCapture(const llvm::CallBase &CB);
bool isTaskAlloc(const llvm::CallBase &CB);
/// "pool::get" of a mangled name, without template arguments; else the name.
std::string qualifiedName(const llvm::Function &F);
/// Callee with casts and aliases looked through; null when indirect.
llvm::Function *calleeOf(const llvm::CallBase &CB);

/// Statics and globals below this size are not worth a decision (design 10).
constexpr uint64_t SmallestGlobal = 64 * 1024;

bool isSite(const InventoryEntry &E);
Inventory takeInventory(llvm::Module &M);
/// Makes \p CB, through a pointer that may be one of \p Callees that allocate,
/// a site of \p I. False: it has no place in the project.
bool addIndirectSite(Inventory &I, const SourceMap &Source, llvm::CallBase &CB,
                     llvm::ArrayRef<const llvm::Function *> Callees);
void annotate(llvm::Module &M, const Inventory &I);
/// Adds to the give-ups that an annotated module carries.
void noteGiveUp(llvm::Module &M, llvm::StringRef Why, uint64_t Number = 1);
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
