//===- Runtime.h - the recorder's entries, as IR ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: names and types of what libevenkeel-record offers to instrumented
// code, from the recorder's own list (runtime/record/abi/record_calls.def).
// Leaves out: where the calls go (Record.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_RUNTIME_H
#define EVENKEEL_PASSES_RECORD_RUNTIME_H

#include "format/ek_sizes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace evenkeel {

// Bits of __ek_rec_access' second argument; see record_abi.h.
constexpr uint64_t RecordRead = 1ull << 32;
constexpr uint64_t RecordWrite = 1ull << 33;
constexpr uint64_t RecordDependent = 1ull << 34;
constexpr uint64_t RecordInOrder = 1ull << 35;
constexpr uint64_t RecordUncounted = 1ull << 36;
constexpr uint64_t RecordAtomic = 1ull << 37;
constexpr uint64_t RecordOrders = 1ull << 38;
constexpr unsigned RecordBehindShift = 40;
constexpr uint64_t RecordBehindMax = (1ull << 24) - 1;
// And of __ek_rec_symbol's third.
constexpr uint64_t RecordPerTask = 1, RecordTrips = 2;

constexpr uint64_t LineBytes = EK_LINE;

/// The calls of the recorder, by their names in record_calls.def.
enum class RecordCall {
#define EK_REC_CALL(Result, Name, Arguments, Unwinds) rec_##Name,
#include "runtime/record/abi/record_calls.def"
};

/// A call through which other code may run, or the recorder look at counters.
bool leavesCode(const llvm::Instruction &I);
/// Does the load, store or atomic update acquire or release?
bool ordersOthers(const llvm::Instruction &I);

/// Not: ifunc resolvers and naked functions, in which nothing can be put.
bool isRecorded(const llvm::Function &F);

/// Functions that touched no memory, or only read it, now write the thread's
/// counters: callers must not keep those in registers across the call.
void forgetPurity(llvm::Module &M);

struct RecordRuntime {
  llvm::Type *Void, *I32, *I64, *Ptr;
  llvm::FunctionCallee Access, Repeat, Range, Serial, Fork, Join, RegionBegin,
      RegionEnd, Barrier, Taskwait, Taskgroup, TaskgroupEnd, TaskBegin, TaskEnd,
      Global, Lock, Unlock, Alone, AloneEnd, Orders, Reduce, Collective, Ends;
  llvm::GlobalVariable *Tls;

  explicit RecordRuntime(llvm::Module &M);

  /// The recorder's function, with its types.
  static llvm::FunctionCallee declare(llvm::Module &M, RecordCall Call);
  /// The same with the types that a call of the program has, in whose place it
  /// is called; null callee: those do not suit it.
  static llvm::FunctionCallee declareAs(llvm::Module &M, RecordCall Call,
                                        llvm::Type *Result,
                                        llvm::ArrayRef<llvm::Type *> Arguments);

  /// Bits that tell followed lines from others: all, or none in a burst.
  llvm::Value *followed(llvm::IRBuilder<> &B) const;
  /// Adds to the thread's issue slots and instructions (I64).
  void addCost(llvm::IRBuilder<> &B, llvm::Value *Slots,
               llvm::Value *Instructions) const;
  /// Defines \p Name, which says how the module was built.
  static void markUnits(llvm::Module &M, llvm::StringRef Name);
  /// Makes \p M depend on this version of the recorder at link time.
  static void requireVersion(llvm::Module &M);
};

} // namespace evenkeel

#endif
