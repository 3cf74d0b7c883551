//===- ObjectCalls.cpp - pointers passed by calls -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the effect of calls on pointers: arguments and results, OpenMP bodies
// and tasks, threads, allocations, library functions, and unknown functions.
// Not here: other instructions, and the solution (Objects.cpp).
//===----------------------------------------------------------------------===//
#include "objects/Libraries.h"
#include "objects/Objects.h"
#include "objects/VariadicLists.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/AbstractCallSite.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace evenkeel {

/// Binds the arguments of \p CB for which \p F has no named parameters.
/// Arguments too large for registers are passed as copies.
void Objects::bindUnnamed(CallBase &CB, Function &F) {
  LocationSet To = {{object(MemoryObject::Arguments, &F), AnyOffset}};
  for (unsigned K = F.arg_size(); K < CB.arg_size(); ++K) {
    const LocationSet &From = pointsTo(CB.getArgOperand(K));
    if (CB.isByValArgument(K)) {
      reads(CB, From);
      copy(To, From, DL.getTypeAllocSize(CB.getParamByValType(K)));
    } else {
      store(To, From);
    }
  }
}

/// Handles argument lists: va_start and va_copy.
void Objects::visitList(IntrinsicInst &I) {
  const LocationSet &List = pointsTo(I.getArgOperand(0));
  if (I.getIntrinsicID() == Intrinsic::vastart) {
    unsigned O = object(MemoryObject::Arguments, I.getFunction());
    for (int64_t Word : ListWords)
      store(shifted(List, Word), {{O, AnyOffset}});
  } else {
    reads(I, pointsTo(I.getArgOperand(1)));
    copy(List, pointsTo(I.getArgOperand(1)), ListBytes);
  }
}

void Objects::bind(CallBase &CB, Function &F) {
  Callees[&CB].insert(&F);
  Callers[&F].insert(&CB);
  for (unsigned K = 0; K < F.arg_size() && K < CB.arg_size(); ++K)
    addTo(F.getArg(K), pointsTo(CB.getArgOperand(K)));
  if (F.isVarArg())
    bindUnnamed(CB, F);
  for (BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
      if (R->getReturnValue())
        addTo(&CB, pointsTo(R->getReturnValue()));
}

/// The argument that external code returns unchanged, or as the thread's own
/// copy of its contents; null: none.
static Value *passedThrough(const CallBase &CB) {
  if (auto *II = dyn_cast<IntrinsicInst>(&CB))
    if (II->getIntrinsicID() == Intrinsic::threadlocal_address ||
        II->getIntrinsicID() == Intrinsic::ptrmask)
      return II->getArgOperand(0);
  Function *F = calleeOf(CB);
  if (F && F->getName() == "__kmpc_threadprivate_cached" && CB.arg_size() > 2)
    return CB.getArgOperand(2);
  return CB.getReturnedArgOperand();
}

void Objects::allocate(CallBase &CB, const Allocation &A) {
  unsigned O = object(MemoryObject::Heap, &CB);
  if (A.Out >= 0)
    store(pointsTo(CB.getArgOperand(A.Out)), {{O, 0}});
  else
    addTo(&CB, {{O, 0}});
  if (A.Old >= 0) {
    reads(CB, pointsTo(CB.getArgOperand(A.Old)));
    copy({{O, 0}}, pointsTo(CB.getArgOperand(A.Old)));
  }
}

bool followsNodes(const CallBase &CB) {
  const LibraryCall *L = CB.arg_size() == 1 ? libraryCallOf(CB) : nullptr;
  return L && !L->Links.empty() && !L->Relinks;
}

/// Library code that handles nodes of trees and lists: afterwards, its
/// arguments and all nodes linked to them may be linked to each other, and its
/// result is one of these nodes.
void Objects::visitNodes(CallBase &CB, const LibraryCall &L) {
  LocationSet Nodes;
  for (Value *V : CB.args())
    if (V->getType()->isPointerTy()) {
      const LocationSet &Given = pointsTo(V);
      reads(CB, Given);
      add(Nodes, Given);
    }
  LocationSet Given = Nodes;
  for (int64_t Link : L.Links)
    add(Nodes, load(shifted(Given, Link)));
  if (L.Relinks)
    for (int64_t Link : L.Links)
      store(shifted(Nodes, Link), Nodes);
  if (CB.getType()->isPointerTy())
    addTo(&CB, Nodes);
}

/// Pointers produced by a function that is in the table of libraries.
void Objects::visitLibrary(CallBase &CB, const LibraryCall &L) {
  if (!L.Links.empty())
    visitNodes(CB, L);
  for (const LibraryCall::Pointer &P : L.Pointers) {
    LocationSet What;
    bool Here = P.N < CB.arg_size();
    switch (P.Kind) {
    case LibraryCall::Pointer::Outside:
      What = {{object(MemoryObject::External, &CB), AnyOffset}};
      break;
    case LibraryCall::Pointer::New:
      What = {{object(MemoryObject::Heap, &CB), 0}};
      break;
    case LibraryCall::Pointer::Argument:
      if (Here)
        What = pointsTo(CB.getArgOperand(P.N));
      break;
    case LibraryCall::Pointer::Into:
      if (Here)
        What = shifted(pointsTo(CB.getArgOperand(P.N)), AnyOffset);
      break;
    case LibraryCall::Pointer::Held:
      if (Here) {
        reads(CB, pointsTo(CB.getArgOperand(P.N)));
        What = load(pointsTo(CB.getArgOperand(P.N)));
      }
      break;
    }
    if (P.Where < 0) {
      if (carriesPointer(CB.getType()))
        addTo(&CB, What);
    } else if (unsigned(P.Where) < CB.arg_size() &&
               CB.getArgOperand(P.Where)->getType()->isPointerTy()) {
      store(shifted(pointsTo(CB.getArgOperand(P.Where)), P.Offset), What);
    }
  }
}

/// Unknown code may store its arguments, and pointers to its own memory, in all
/// memory it receives, and may return any of these pointers.
void Objects::visitUnknown(CallBase &CB) {
  LocationSet Own = {{object(MemoryObject::External, &CB), AnyOffset}};
  bool Writes = !CB.onlyReadsMemory();
  for (unsigned K = 0; Writes && K < CB.arg_size(); ++K) {
    if (!CB.getArgOperand(K)->getType()->isPointerTy() || CB.onlyReadsMemory(K))
      continue;
    LocationSet To = shifted(pointsTo(CB.getArgOperand(K)), AnyOffset);
    store(To, Own);
    for (unsigned J = 0; J < CB.arg_size(); ++J)
      if (J != K && CB.getArgOperand(J)->getType()->isPointerTy() &&
          !CB.doesNotCapture(J))
        store(To, shifted(pointsTo(CB.getArgOperand(J)), AnyOffset));
  }
  if (!carriesPointer(CB.getType()))
    return;
  if (Value *R = passedThrough(CB)) {
    addTo(&CB, pointsTo(R));
    return;
  }
  if (!CB.returnDoesNotAlias())
    for (Value *V : CB.args())
      if (V->getType()->isPointerTy())
        addTo(&CB, shifted(pointsTo(V), AnyOffset));
  if (CB.getType()->isPointerTy())
    addTo(&CB, Own);
}

/// std::thread passes the library an owner of its state. The new thread calls
/// the state's virtual _M_run, the third function in the vtable.
void Objects::startThread(CallBase &CB, const Function &Callee) {
  if (!Callee.getName().starts_with("_ZNSt6thread15_M_start_thread") ||
      CB.arg_size() < 2)
    return;
  constexpr int64_t Run = 16; // after two destructors
  reads(CB, pointsTo(CB.getArgOperand(1)));
  LocationSet States = load(pointsTo(CB.getArgOperand(1)));
  reads(CB, States);
  for (const Location &State : States)
    for (const Location &F : load(shifted(load({State}), Run)))
      if (All[F.first].Kind == MemoryObject::Function) {
        auto *Body = cast<Function>(All[F.first].V);
        if (Body->isDeclaration() || Body->arg_size() != 1)
          continue;
        Callees[&CB].insert(Body);
        addTo(Body->getArg(0), {State});
      }
}

void Objects::visitCall(CallBase &CB) {
  if (auto *Copy = dyn_cast<MemTransferInst>(&CB)) {
    reads(CB, pointsTo(Copy->getSource()));
    auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    copy(pointsTo(Copy->getDest()), pointsTo(Copy->getSource()),
         Length ? int64_t(Length->getLimitedValue(INT64_MAX)) : INT64_MAX);
    return;
  }
  if (CB.isInlineAsm() || isa<DbgInfoIntrinsic>(CB))
    return;
  if (isa<VAStartInst, VACopyInst>(CB)) {
    visitList(cast<IntrinsicInst>(CB));
    return;
  }
  if (std::optional<Allocation> A = allocationOf(CB)) {
    allocate(CB, *A);
    return;
  }
  if (isTaskAlloc(CB)) {
    unsigned T = object(MemoryObject::Task, &CB);
    unsigned S = object(MemoryObject::Shareds, &CB);
    store({{T, 0}}, {{S, 0}});
    addTo(&CB, {{T, 0}});
    if (Function *Body = outlinedCallee(CB); Body && Body->arg_size() > 1)
      addTo(Body->getArg(1), {{T, 0}});
    return;
  }
  if (isForkCall(CB)) {
    Function *Body = outlinedCallee(CB);
    // (ident, argc, body, captures...) -> body(gtid, btid, captures...). The
    // declaration's !callback says the same, but hand-written IR may lack it.
    const unsigned First = firstCapture(CB);
    if (Body)
      for (unsigned K = First; K < CB.arg_size(); ++K)
        if (K - First + 2 < Body->arg_size())
          addTo(Body->getArg(K - First + 2), pointsTo(CB.getArgOperand(K)));
    return;
  }
  if (Function *F = calleeOf(CB)) {
    if (!F->isDeclaration()) {
      bind(CB, *F);
      return;
    }
    startThread(CB, *F);
    const LibraryCall *L = libraryCallOf(CB);
    // Callbacks of external code: as the table or !callback metadata says;
    // otherwise every pointer argument may reach every pointer parameter.
    for (Use &U : CB.args()) {
      auto *Callback = dyn_cast<Function>(U->stripPointerCastsAndAliases());
      if (!Callback || Callback->isDeclaration())
        continue;
      Callees[&CB].insert(Callback);
      AbstractCallSite ACS(&U);
      const LibraryCall::Callback *Described = nullptr;
      if (L)
        for (const LibraryCall::Callback &B : L->Callbacks)
          if (B.Argument == CB.getArgOperandNo(&U))
            Described = &B;
      for (Argument &A : Callback->args()) {
        if (ACS && ACS.isCallbackCall()) {
          if (Value *V = ACS.getCallArgOperand(A.getArgNo()))
            addTo(&A, pointsTo(V));
        } else if (A.getType()->isPointerTy()) {
          for (unsigned K = 0; K < CB.arg_size(); ++K) {
            Value *V = CB.getArgOperand(K);
            if (V != U && V->getType()->isPointerTy() &&
                (!Described || is_contained(Described->Data, K)))
              addTo(&A, shifted(pointsTo(V), AnyOffset));
          }
        }
      }
    }
    if (L)
      visitLibrary(CB, *L);
    else if (isUnknownLibrary(*F))
      visitUnknown(CB);
    else if (Value *R =
                 CB.getType()->isPointerTy() ? passedThrough(CB) : nullptr)
      addTo(&CB, pointsTo(R));
    else if (CB.getType()->isPointerTy())
      addTo(&CB, {{object(MemoryObject::External, &CB), AnyOffset}});
    return;
  }
  for (const Location &L : pointsTo(CB.getCalledOperand()))
    if (All[L.first].Kind == MemoryObject::Function) {
      auto *F = cast<Function>(All[L.first].V);
      if (std::optional<Allocation> A = allocationOf(CB, *F)) {
        Allocators[&CB].insert(F);
        allocate(CB, *A);
      } else if (!F->isDeclaration()) {
        bind(CB, *F);
      }
    }
}

} // namespace evenkeel
