//===- Objects.h - points-to analysis ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an inclusion-based points-to analysis (Andersen 1994) over a module:
// flow- and context-insensitive, field-sensitive by byte offset. OpenMP bodies
// get their captured variables through !callback metadata, task bodies through
// the task object (shareds pointer at offset 0, privates after it); a variadic
// function gets all unnamed arguments of its calls, in no order.
// Makes: for each value, a set of (object, offset); the call graph with
// indirect calls resolved; the locations that code may store to.
// Not here: heap cloning per caller (thin wrappers are inlined earlier), and
// effects of external code on memory that was never passed to it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_OBJECTS_H
#define EVENKEEL_PASSES_OBJECTS_OBJECTS_H

#include "objects/Offsets.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>
#include <set>

namespace evenkeel {

struct Allocation;
struct LibraryCall;

struct MemoryObject {
  enum KindType {
    Heap,
    Global,
    Stack,
    Function,
    Task,
    Shareds,
    Arguments, // the unnamed arguments that calls pass to the variadic function
               // V
    External,  // memory made outside the module; by V, if V is a call
    Anything   // for pointers to too many places to distinguish
  };
  KindType Kind = External;
  llvm::Value *V = nullptr; // the allocation, alloca, global, function
};

/// Indices of the two objects that always exist.
constexpr unsigned ExternalObject = 0, AnythingObject = 1;

/// (index into objects(), byte offset: Offsets.h)
using Location = std::pair<unsigned, int64_t>;
using LocationSet = std::set<Location>;

class Objects {
  const llvm::DataLayout &DL;
  std::vector<MemoryObject> All;
  std::map<std::pair<const llvm::Value *, int>, unsigned> Index;
  std::map<const llvm::Value *, LocationSet> Values; // stable addresses
  /// Contents of memory: object -> offset -> targets of the pointer stored
  /// there.
  std::vector<std::map<int64_t, LocationSet>> Cells;
  llvm::DenseMap<const llvm::CallBase *, llvm::SetVector<llvm::Function *>>
      Callees;
  llvm::DenseMap<const llvm::Function *, llvm::SetVector<llvm::CallBase *>>
      Callers;
  llvm::DenseMap<const llvm::CallBase *,
                 llvm::SetVector<const llvm::Function *>>
      Allocators;
  /// Instructions that read the contents of an object.
  std::vector<llvm::SetVector<llvm::Instruction *>> Readers;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Order;
  llvm::BitVector Dirty; // by Order: input has changed since its last visit
  mutable std::map<const llvm::Value *, LocationSet> Constants;
  mutable std::map<std::pair<unsigned, int64_t>, bool> Lone;

  std::vector<llvm::GetElementPtrInst *> Carvings; // by range
  llvm::DenseMap<const llvm::GetElementPtrInst *, unsigned> RangeOf;

  unsigned object(MemoryObject::KindType K, llvm::Value *V);
  bool add(LocationSet &To, const LocationSet &From);
  void addTo(const llvm::Value *V, const LocationSet &From);
  void revisit(llvm::Instruction *I);
  void addToCell(unsigned Obj, int64_t Offset, const LocationSet &From);
  void reads(llvm::Instruction &I, const LocationSet &From);
  LocationSet constant(const llvm::Constant *C) const;
  LocationSet shifted(const LocationSet &S, int64_t By,
                      int64_t Stride = 0) const;
  LocationSet addressed(const llvm::GetElementPtrInst &G) const;
  bool isLone(unsigned Obj, int64_t Offset) const;
  LocationSet load(const LocationSet &From, int64_t Bytes = 8) const;
  void store(const LocationSet &To, const LocationSet &What, int64_t Bytes = 8);
  int64_t bytesOf(llvm::Type *T) const;
  void copy(const LocationSet &To, const LocationSet &From,
            int64_t Bytes = INT64_MAX);
  void initialise(unsigned Obj, int64_t Offset, const llvm::Constant *C);
  void visit(llvm::Instruction &I);
  void allocate(llvm::CallBase &CB, const Allocation &A);
  void startThread(llvm::CallBase &CB, const llvm::Function &Callee);
  void visitCall(llvm::CallBase &CB);
  void bind(llvm::CallBase &CB, llvm::Function &F);
  void bindUnnamed(llvm::CallBase &CB, llvm::Function &F);
  void visitList(llvm::IntrinsicInst &I);
  void visitNodes(llvm::CallBase &CB, const LibraryCall &L);
  void visitLibrary(llvm::CallBase &CB, const LibraryCall &L);
  void visitUnknown(llvm::CallBase &CB);

public:
  /// \p Carved: instructions whose result begins a separate range of an
  /// object.
  explicit Objects(llvm::Module &M,
                   std::vector<llvm::GetElementPtrInst *> Carved = {});

  const std::vector<MemoryObject> &objects() const { return All; }
  /// The instruction at which range \p K begins.
  llvm::GetElementPtrInst &carving(unsigned K) const { return *Carvings[K]; }
  /// Pointers in the memory of object \p K: offset -> targets.
  const std::map<int64_t, LocationSet> &contents(unsigned K) const {
    return Cells[K];
  }
  /// Whether code outside the module made object \p K, or \p K stands for any
  /// object.
  bool isOutside(unsigned K) const {
    return All[K].Kind == MemoryObject::External ||
           All[K].Kind == MemoryObject::Anything;
  }
  /// The index of the object that \p Maker (an allocation, alloca or global)
  /// creates.
  unsigned indexOf(llvm::Value *Maker) const;
  const LocationSet &pointsTo(const llvm::Value *V) const;
  /// Replaces \p Old by \p New, created since; \p Old is about to be deleted.
  void replace(const llvm::Value *Old, const llvm::Value *New);
  /// The allocating functions among the possible callees of \p CB, an indirect
  /// call.
  llvm::ArrayRef<const llvm::Function *>
  allocators(const llvm::CallBase &CB) const;
  /// The functions that a call may run on the calling thread, including
  /// callbacks but not OpenMP bodies and tasks.
  llvm::ArrayRef<llvm::Function *> callees(const llvm::CallBase &CB) const;
  /// Locations that \p I may write, here or in external code that it calls.
  LocationSet written(const llvm::Instruction &I) const;
};

/// Whether a value of type \p T may be a pointer, or hold one.
bool carriesPointer(llvm::Type *T);
/// Whether \p CB moves from one node of a tree to the next, as a load would.
bool followsNodes(const llvm::CallBase &CB);

bool overlaps(const LocationSet &A, const LocationSet &B);

} // namespace evenkeel

#endif
