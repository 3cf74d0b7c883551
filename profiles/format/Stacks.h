//===- Stacks.h - stacks.json: sites of call stacks -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the table by which the preloaded runtime finds the sites of
// allocations in programs that were not rewritten ("evenkeel.stacks/1"): for
// address ranges of code in each program or library, as linked, the source
// frames of a return address. Made from a line table by `evenkeel analyze
// --binary`.
// Not here: unwinding (runtime/calls/stack.c).
//
//   {"schema","program":"<hash of the facts>",
//    "frames":[{"at":"path:line:col","sites":["<id>",..]}],
//    "contexts":[{"site":"<id>","context":"<id>","calls":[FRAME,..]}],
//    "modules":[{"name":"app","build":"id:<hex>"|"text:<hex>",
//                "ranges":[[from,to,[FRAME|-1,..]],..],
//                "globals":[{"site":"<id>","at":"path:line:col",
//                            "address":N,"bytes":N}],
//                "syncs":[{"sync":"<id>","kind":"parallel","from":N,"to":N}],
//                "giveups":{"reason":N}}]}
// FRAME is an index into frames, innermost first; -1 ends a chain: the next
// caller is code of the program that is not in the facts. A range without
// frames is code from system headers: its caller counts. A frame without sites
// is a call of an allocation wrapper; with several sites, it is ambiguous. A
// sync is the return address of a call after which tasks have waited: one that
// runs a parallel region, or one of MPI ("kind" as in facts; default: a
// parallel region). Addresses are those in the file; ranges and syncs are
// sorted and disjoint.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_STACKS_H
#define EVENKEEL_PROFILES_FORMAT_STACKS_H

#include "Error.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evenkeel {

struct StackFrame {
  std::string At;
  std::vector<uint64_t> Sites; // sorted
};

struct StackContext {
  uint64_t Site = 0, Context = 0;
  std::vector<uint32_t> Calls; // innermost first, at least one
};

constexpr uint32_t NoFrame = UINT32_MAX; // -1 in the file

struct StackRange {
  uint64_t From = 0, To = 0;
  std::vector<uint32_t> Frames; // only the last may be NoFrame
};

struct StackGlobal {
  uint64_t Site = 0;
  std::string At;
  uint64_t Address = 0, Bytes = 0;
};

struct StackSync {
  uint64_t Sync = 0, From = 0, To = 0;
  std::string Kind = "parallel"; // as in facts

  bool isMpi() const { return Kind.compare(0, 4, "mpi-") == 0; }
};

struct StackModule {
  std::string Name;  // file name without folders
  std::string Build; // "id:" and the build id, or "text:" and a hash
  std::vector<StackRange> Ranges;
  std::vector<StackGlobal> Globals;
  std::vector<StackSync> Syncs;
  std::map<std::string, uint64_t> GiveUps;
};

struct Stacks {
  std::string Program;
  std::vector<StackFrame> Frames;
  std::vector<StackContext> Contexts;
  std::vector<StackModule> Modules;
};

/// Reads and checks: in the result, indices are valid and ranges in order.
Expected<Stacks> readStacks(const std::string &Path);
/// Deterministic text.
std::string stacksToJson(const Stacks &S);

/// The hash after "text:" for code without a build id, as it lies in memory.
/// Call it for each segment in the order of the program headers, with the
/// result \p H for the previous one.
uint64_t stackTextHash(uint64_t H, const void *Bytes, uint64_t Size);

} // namespace evenkeel

#endif
