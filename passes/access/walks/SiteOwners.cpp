//===- SiteOwners.cpp - the sites of a pointer ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SiteOwners.h.
//===----------------------------------------------------------------------===//
#include "access/walks/SiteOwners.h"
#include "llvm/IR/Instructions.h"
#include <set>

using namespace llvm;

namespace evenkeel {

uint64_t SiteOwners::rangeId(unsigned K) const {
  Place P = Source.locate(Obj.carving(K).getDebugLoc());
  return idAt("range", P);
}

/// The sites of an access, or the reason why there are none. Stack variables,
/// task records and small globals cannot be placed; their accesses are counted
/// as private.
void SiteOwners::resolve(Access &A) const {
  SetVector<uint64_t> Ids;
  std::map<uint64_t, std::set<uint64_t>> Contexts; // site -> its contexts; 0:
                                                   // not known
  std::set<unsigned> Carved;
  bool Whole = false; // or at its start
  bool External = false, Unnamed = false, Anything = false;
  for (const Location &L : A.Where) {
    const MemoryObject &O = Obj.objects()[L.first];
    Whole |= !isInRange(L.second);
    if (isInRange(L.second))
      Carved.insert(rangeOf(L.second));
    switch (O.Kind) {
    case MemoryObject::Heap: {
      // Functions that were inlined into all callers never run.
      if (!Graph.Live.contains(cast<CallBase>(O.V)->getFunction()))
        break;
      auto It = Inv.Sites.find(cast<CallBase>(O.V));
      if (It == Inv.Sites.end())
        Unnamed = true;
      else
        Ids.insert(It->second.Id);
      if (It != Inv.Sites.end())
        for (const SiteInfo &Other : It->second.Others)
          Ids.insert(Other.Id);
      if (It != Inv.Sites.end())
        Contexts[It->second.Id].insert(It->second.Context);
      break;
    }
    case MemoryObject::Global: {
      auto It = Inv.Globals.find(cast<GlobalVariable>(O.V));
      if (It == Inv.Globals.end())
        A.Private = "small-static";
      else
        Ids.insert(It->second.Id);
      break;
    }
    case MemoryObject::Stack: {
      auto It = Inv.Stacks.find(cast<AllocaInst>(O.V));
      if (It == Inv.Stacks.end())
        A.Private = "stack";
      else
        Ids.insert(It->second.Id);
      break;
    }
    case MemoryObject::Arguments:
      A.Private = "stack";
      break;
    case MemoryObject::External:
      External = true;
      break;
    case MemoryObject::Anything:
      Anything = true;
      break;
    case MemoryObject::Function:
      A.Private = "code";
      break;
    case MemoryObject::Task:
    case MemoryObject::Shareds:
      A.Private = "task-record";
      break;
    }
  }
  A.Sites.assign(Ids.begin(), Ids.end());
  llvm::sort(A.Sites);
  std::set<uint64_t> Known;
  bool Open = false; // blocks with a context, and others
  for (const auto &Entry : Contexts) {
    Open |= Entry.second.size() > 1 && Entry.second.count(0);
    Known.insert(Entry.second.begin(), Entry.second.end());
  }
  Known.erase(0);
  if (Open)
    Known.clear();
  A.Contexts.assign(Known.begin(), Known.end());
  if (!Whole && !A.Sites.empty()) {
    std::set<uint64_t> Ranges;
    for (unsigned K : Carved)
      Ranges.insert(rangeId(K));
    A.Ranges.assign(Ranges.begin(), Ranges.end());
  }
  A.Elsewhere = !A.Sites.empty() &&
                (External || Unnamed || Anything || !A.Private.empty());
  bool Lost = External || Unnamed || Anything || A.Private.empty();
  if (!A.Sites.empty() || Lost)
    A.Private.clear();
  if (!A.Sites.empty() || !Lost)
    return;
  A.Lost = Unnamed    ? "site-without-id"
           : External ? "external-object"
                      : "unknown-object";
}

} // namespace evenkeel
