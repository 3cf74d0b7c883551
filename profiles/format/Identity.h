//===- Identity.h - the 64-bit id of a site, region, sync point -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the recipe by which the rewriter (Clang AST) and the passes (LLVM IR)
// give the same id to the same place in a source, without shared state:
//
//   hash(kind, project-relative path, enclosing function as spelled,
//        line - line of that function's name, column, ordinal among equals)
//
// Edits elsewhere in the file do not change an id. Both sides must normalise
// the inputs alike; the rules are in the comments of `EntityKey`. Ids of sites
// and wrapper calls have a hash of their function in the upper bits, which
// separates chains of calls from recursion (ek_context.h).
// Makes: ids; never 0 (0 means "no id").
// Not here: contexts (ek_context.h). Optimiser suffixes, value names and the
// order in the module are never used.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_IDENTITY_H
#define EVENKEEL_PROFILES_FORMAT_IDENTITY_H

#include "ek_context.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace evenkeel {

/// The inputs on which both sides must agree. Lines and columns are *presumed*
/// (as `#line` says) and those of the macro *expansion*.
struct EntityKey {
  /// "site", "wrapper-call", "region", or "sync-<kind>" with kind one of
  /// barrier, for, sections, single, parallel, taskwait, taskgroup, taskloop,
  /// workshare; "global:<variable>" for static arrays (the name replaces the
  /// column, which the IR lacks); "symbol:<what>" and "loop" (IR only).
  std::string Kind;
  /// Relative to the project root, '/'-separated, no "." or "..".
  std::string Path;
  /// Name of the innermost enclosing function, without template arguments
  /// ("Buf", "operator()"); "file" outside functions and for text that a body
  /// includes from another file. Outlined OpenMP bodies belong to their
  /// function.
  std::string Function;
  /// Line of the entity minus line of the function's name; the absolute line if
  /// Function is "file". Also for "global:" keys.
  int LineOffset = 0;
  /// 1-based column; 0 for "global:" keys.
  unsigned Column = 0;
  /// 0, 1, ... among entities equal in all the above, in source order (two
  /// mallocs of one macro expansion).
  unsigned Ordinal = 0;
};

namespace detail {
inline void mixBytes(uint64_t &H, const void *Data, size_t Size) {
  // FNV-1a, 64 bit (Fowler, Noll, Vo): simple, endian-free, no library.
  const unsigned char *P = static_cast<const unsigned char *>(Data);
  for (size_t I = 0; I < Size; ++I)
    H = (H ^ P[I]) * 0x100000001b3ULL;
}
inline void mixString(uint64_t &H, std::string_view S) {
  mixBytes(H, S.data(), S.size());
  mixBytes(H, "\0", 1);
}
constexpr uint64_t EmptyHash = 0xcbf29ce484222325ULL;
/// Final avalanche of splitmix64 (Steele et al. 2014): FNV's high bits are weak
/// for short inputs.
inline uint64_t avalanche(uint64_t H) {
  H ^= H >> 30;
  H *= 0xbf58476d1ce4e5b9ULL;
  H ^= H >> 27;
  H *= 0x94d049bb133111ebULL;
  return H ^ (H >> 31);
}
/// A hash of the function of \p K; 0 only outside functions.
inline uint64_t functionHash(const EntityKey &K) {
  if (K.Function == "file")
    return 0;
  uint64_t H = EmptyHash;
  mixString(H, K.Path);
  mixString(H, K.Function);
  return ek_function_of(avalanche(H)) | 1;
}
} // namespace detail

/// The id of an entity. Never 0.
inline uint64_t entityId(const EntityKey &K) {
  uint64_t H = detail::EmptyHash;
  detail::mixString(H, K.Kind);
  detail::mixString(H, K.Path);
  detail::mixString(H, K.Function);
  detail::mixString(H, std::to_string(K.LineOffset));
  detail::mixString(H, std::to_string(K.Column));
  detail::mixString(H, std::to_string(K.Ordinal));
  H = detail::avalanche(H);
  if (K.Kind == "site" || K.Kind == "wrapper-call")
    H = (H & ((1ULL << EK_FUNCTION_SHIFT) - 1)) | detail::functionHash(K)
                                                      << EK_FUNCTION_SHIFT;
  return H ? H : 1;
}

/// Ids are 16 lower-case hex digits in every JSON file.
inline std::string idToString(uint64_t Id) {
  char Buffer[17];
  std::snprintf(Buffer, sizeof Buffer, "%016llx",
                static_cast<unsigned long long>(Id));
  return Buffer;
}

/// The id in \p S, which must be 16 hex digits; otherwise 0.
inline uint64_t idFromString(const std::string &S) {
  if (S.size() != 16 ||
      S.find_first_not_of("0123456789abcdef") != std::string::npos)
    return 0;
  return std::strtoull(S.c_str(), nullptr, 16);
}

/// "newvec<double>" -> "newvec"; operators keep their own '<' and '>'.
inline std::string functionAsSpelled(std::string_view Name) {
  if (Name.substr(0, 8) == "operator")
    return std::string(Name.substr(
        0, Name.find_first_of("<>", 8) == 8 ? Name.size() : Name.find('<')));
  return std::string(Name.substr(0, Name.find('<')));
}

} // namespace evenkeel

#endif
