//===- Runtime.h - IR declarations of the recorder's entries ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: names and types of libevenkeel-record's functions for instrumented
// code, from the recorder's own list (runtime/record/abi/record_calls.def).
// Not here: where the calls are inserted (Record.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_RUNTIME_H
#define EVENKEEL_PASSES_RECORD_RUNTIME_H

#include "format/ek_sizes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace evenkeel {

// Flags in the second argument of __ek_rec_access; see record_abi.h.
constexpr uint64_t RecordRead = 1ull << 32;
constexpr uint64_t RecordWrite = 1ull << 33;
constexpr uint64_t RecordDependent = 1ull << 34;
constexpr uint64_t RecordInOrder = 1ull << 35;
constexpr uint64_t RecordUncounted = 1ull << 36;
constexpr uint64_t RecordAtomic = 1ull << 37;
constexpr uint64_t RecordOrders = 1ull << 38;
constexpr unsigned RecordAfterShift = 40;
constexpr uint64_t RecordAfterMax = (1ull << 24) - 1;
// Flags in the third argument of __ek_rec_symbol.
constexpr uint64_t RecordPerTask = 1, RecordTrips = 2;

constexpr uint64_t LineBytes = EK_LINE;

/// The calls of the recorder, by their names in record_calls.def.
enum class RecordCall {
#define EK_REC_CALL(Result, Name, Arguments, Unwinds) rec_##Name,
#include "runtime/record/abi/record_calls.def"
};

/// Whether \p I is a call that may run other code, or in which the recorder may
/// read counters.
bool leavesCode(const llvm::Instruction &I);
/// Whether the load, store or atomic update acquires or releases.
bool ordersOthers(const llvm::Instruction &I);

/// False for ifunc resolvers and naked functions, into which nothing can be
/// inserted.
bool isRecorded(const llvm::Function &F);

/// Functions that touched no memory, or only read it, now write the thread's
/// counters, so callers must not keep the counters in registers across calls.
void forgetPurity(llvm::Module &M);

struct RecordRuntime {
  llvm::Type *Void, *I32, *I64, *Ptr;
  llvm::FunctionCallee Access, Repeat, Range, Serial, Fork, Join, RegionBegin,
      RegionEnd, Barrier, Taskwait, Taskgroup, TaskgroupEnd, TaskBegin, TaskEnd,
      Global, Lock, Unlock, Alone, AloneEnd, Orders, Reduce, Collective, Ends;
  llvm::GlobalVariable *Tls;

  explicit RecordRuntime(llvm::Module &M);

  /// The recorder's function with its own types.
  static llvm::FunctionCallee declare(llvm::Module &M, RecordCall Call);
  /// The same with the types of the program's call that it replaces; null
  /// callee: these types do not fit.
  static llvm::FunctionCallee declareAs(llvm::Module &M, RecordCall Call,
                                        llvm::Type *Result,
                                        llvm::ArrayRef<llvm::Type *> Arguments);

  /// The mask of the bits that distinguish followed lines; 0 in a burst.
  llvm::Value *followed(llvm::IRBuilder<> &B) const;
  /// Adds to the thread's issue slots and instructions (I64).
  void addCost(llvm::IRBuilder<> &B, llvm::Value *Slots,
               llvm::Value *Instructions) const;
  /// Defines the symbol \p Name, which shows how the module was built.
  static void markUnits(llvm::Module &M, llvm::StringRef Name);
  /// Makes \p M depend on this version of the recorder at link time.
  static void requireVersion(llvm::Module &M);
};

} // namespace evenkeel

#endif
