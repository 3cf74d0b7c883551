//===- CallChains.h - which calls of wrappers lead to where -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: who calls whom, through calls of allocation wrappers (WrapperCalls.h)
// and others. Makes: the contexts in which an allocation may run, in code where
// wrappers are still functions. Leaves out: calls through pointers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_CALLCHAINS_H
#define EVENKEEL_PASSES_OBJECTS_CALLCHAINS_H

#include "format/ek_context.h"
#include "objects/Entities.h"
#include "objects/WrapperCalls.h"
#include <map>

namespace evenkeel {

/// A chain as it is gathered, from the inside.
class OpenChain {
  const SourceMap &Source;
  ek_chain Chain;
  std::map<uint64_t, std::string> Places;

  void add(const WrapperCalls &Calls, const llvm::DILocation *L);

public:
  OpenChain(const SourceMap &Source, uint64_t Site) : Source(Source) {
    ek_chain_start(&Chain, Site);
  }
  /// \p CB, unless it allocates itself, and what it was inlined through.
  void addInlined(const WrapperCalls &Calls, const llvm::CallBase &CB);
  uint64_t id() const { return ek_chain_id(&Chain); }
  /// Places of the calls that make the context, innermost first.
  std::vector<std::string> calls() const;
};

class CallChains {
  const SourceMap &Source;
  WrapperCalls Calls;
  llvm::DenseSet<const llvm::Function *> Within;
  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallVector<const llvm::CallBase *, 4>>
      CallsOf;

  struct Walk;
  void outwards(Walk &W, const OpenChain &Inner,
                const llvm::CallBase &CB) const;

public:
  CallChains(llvm::Module &M, const SourceMap &Source);

  /// Functions that may run while a call of a wrapper is open around them.
  const llvm::DenseSet<const llvm::Function *> &within() const {
    return Within;
  }
  /// The contexts, with their calls, of the allocation \p CB of \p Site in such
  /// a function; empty: it is in none, or there are too many.
  std::map<uint64_t, std::vector<std::string>>
  contextsOf(const llvm::CallBase &CB, uint64_t Site) const;
};

/// Contexts of allocations, as far as they were inlined into the functions that
/// call wrappers.
class ContextFinder {
  WrapperCalls Calls;
  llvm::DenseSet<const llvm::Function *> Within; // what wrappers run

public:
  ContextFinder(llvm::Module &M, const SourceMap &Source);
  /// Sets the context of \p S, and its calls, where the code tells them.
  void find(const SourceMap &Source, const llvm::CallBase &CB,
            SiteInfo &S) const;
};

} // namespace evenkeel

#endif
