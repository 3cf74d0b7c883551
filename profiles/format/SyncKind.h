//===- SyncKind.h - the kinds of sync points --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the constructs and calls in which tasks wait for each other, the word
// for each in files, and the key that enters the id of such a sync point.
// Not here: which directives and functions they are (WaitCalls.h, the rewriter,
// the passes).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_SYNCKIND_H
#define EVENKEEL_FORMAT_SYNCKIND_H

#include <optional>
#include <string>
#include <string_view>

namespace evenkeel {

enum class SyncKind {
  // OpenMP
  Barrier,
  For,
  Sections,
  Single,
  Workshare,
  Parallel,
  Taskwait,
  Taskgroup,
  Taskloop,
  Scope,
  Cancel,
  // Libraries
  MpiCollective, ///< all ranks of a communicator wait
  MpiWait,       ///< for a message or request
  MpiStart,      ///< of persistent requests, completed by an MpiWait
  ThreadBarrier,
  ThreadJoin
};

/// By SyncKind.
inline constexpr std::string_view SyncKindNames[] = {
    "barrier",   "for",       "sections",       "single",
    "workshare", "parallel",  "taskwait",       "taskgroup",
    "taskloop",  "scope",     "cancel",         "mpi-collective",
    "mpi-wait",  "mpi-start", "thread-barrier", "thread-join"};

inline std::string_view syncKindName(SyncKind K) {
  return SyncKindNames[static_cast<unsigned>(K)];
}

/// The kind of an entity in the id of a sync point (EntityKey::Kind).
inline std::string syncKey(SyncKind K) {
  return "sync-" + std::string(syncKindName(K));
}

/// The inverse of syncKey; none if \p Key is not that of a sync point.
inline std::optional<SyncKind> syncKindOfKey(std::string_view Key) {
  constexpr std::string_view Begin = "sync-";
  if (Key.substr(0, Begin.size()) != Begin)
    return std::nullopt;
  Key.remove_prefix(Begin.size());
  unsigned K = 0;
  for (std::string_view Name : SyncKindNames) {
    if (Name == Key)
      return static_cast<SyncKind>(K);
    ++K;
  }
  return std::nullopt;
}

} // namespace evenkeel

#endif
