//===- Waits.cpp - which calls are sync points ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Waits.h.
//===----------------------------------------------------------------------===//
#include "objects/Waits.h"
#include "format/WaitCalls.h"
#include "unit/Calls.h"
#include "unit/Source.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <cstdlib>

using namespace llvm;

namespace evenkeel {

/// Whether \p CB waits for the dependences of a task that its thread executes
/// at once (`if(0)`): in the source that is no wait, but the task itself.
static bool isOfUndeferredTask(const CallBase &CB) {
  for (const Instruction *I = CB.getNextNode(); I; I = I->getNextNode())
    if (auto *Next = dyn_cast<CallBase>(I)) {
      const Function *F = calleeOf(*Next);
      if (F && F->getName() == "__kmpc_omp_task_begin_if0")
        return true;
      if (!F || !F->isIntrinsic())
        return false;
    }
  return false;
}

std::optional<SyncKind> openMPWaitOf(const CallBase &CB) {
  Function *F = calleeOf(CB);
  if (!F || !F->getName().starts_with("__kmpc_"))
    return std::nullopt;
  StringRef N = F->getName();
  if (N == "__kmpc_barrier" || N == "__kmpc_cancel_barrier") {
    // kmp.h: KMP_IDENT_BARRIER_EXPL 0x20, _IMPL_FOR 0x40, _SECTIONS 0xC0,
    // _SINGLE 0x140, _WORKSHARE 0x1C0.
    std::optional<Ident> I = identOf(CB);
    if (!I)
      return SyncKind::Barrier;
    switch (I->Flags & 0x1C0) {
    case 0x40:
      return SyncKind::For;
    case 0xC0:
      return SyncKind::Sections;
    case 0x140:
      return SyncKind::Single;
    case 0x1C0:
      return SyncKind::Workshare;
    default:
      return SyncKind::Barrier;
    }
  }
  if (isForkCall(CB))
    return SyncKind::Parallel;
  if ((N == "__kmpc_omp_taskwait_deps_51" || N == "__kmpc_omp_wait_deps") &&
      isOfUndeferredTask(CB))
    return std::nullopt;
  return StringSwitch<std::optional<SyncKind>>(N)
      .Cases("__kmpc_omp_taskwait", "__kmpc_omp_taskwait_deps_51",
             "__kmpc_omp_wait_deps", SyncKind::Taskwait)
      .Case("__kmpc_end_taskgroup", SyncKind::Taskgroup)
      .Case("__kmpc_copyprivate", SyncKind::Single)
      .Cases("__kmpc_cancel", "__kmpc_cancellationpoint", SyncKind::Cancel)
      .Default(std::nullopt);
}

std::optional<SyncKind> libraryWaitOf(const CallBase &CB) {
  Function *F = calleeOf(CB);
  if (!F || F->isIntrinsic())
    return std::nullopt;
  StringRef N = F->getName();
  if (!N.starts_with("_ZN"))
    return F->isDeclaration() ? waitOf(std::string_view(N)) : std::nullopt;
  ItaniumPartialDemangler D;
  std::string Mangled = N.str(); // D refers to it
  if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return std::nullopt;
  auto Take = [](char *Text) {
    std::string S = Text ? Text : "";
    std::free(Text);
    return S;
  };
  std::string Class = Take(D.getFunctionDeclContextName(nullptr, nullptr));
  std::string Member = Take(D.getFunctionBaseName(nullptr, nullptr));
  StringRef C = Class;
  if (!C.consume_front("std::"))
    return std::nullopt;
  return waitOf(std::string_view(C.take_until([](char X) { return X == '<'; })),
                std::string_view(Member));
}

uint64_t waitLiteral(const CallBase &CB) {
  auto Literal = [](const User *U, StringRef Name) -> uint64_t {
    auto *Hook = dyn_cast_or_null<CallBase>(U);
    Function *F = Hook ? calleeOf(*Hook) : nullptr;
    auto *Id = F && F->getName() == Name
                   ? dyn_cast<ConstantInt>(Hook->getArgOperand(0))
                   : nullptr;
    return Id ? Id->getZExtValue() : 0;
  };
  if (CB.hasOneUse())
    return Literal(CB.user_back(), "ek_after");
  auto *Invoke = dyn_cast<InvokeInst>(&CB);
  return Literal(Invoke ? &*Invoke->getNormalDest()->begin() : CB.getNextNode(),
                 "ek_sync");
}

} // namespace evenkeel
