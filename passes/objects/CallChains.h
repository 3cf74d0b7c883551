//===- CallChains.h - chains of wrapper calls above allocations -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the call graph, including calls of allocation wrappers
// (WrapperCalls.h). Makes: the contexts in which an allocation may run, in code
// whose wrappers have not been inlined. Not here: calls through pointers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_CALLCHAINS_H
#define EVENKEEL_PASSES_OBJECTS_CALLCHAINS_H

#include "format/ek_context.h"
#include "objects/Entities.h"
#include "objects/WrapperCalls.h"
#include <map>

namespace evenkeel {

/// A chain under construction, innermost call first.
class OpenChain {
  const SourceMap &Source;
  ek_chain Chain;
  std::map<uint64_t, std::string> Places;

  void add(const WrapperCalls &Calls, const llvm::DILocation *L);

public:
  OpenChain(const SourceMap &Source, uint64_t Site) : Source(Source) {
    ek_chain_start(&Chain, Site);
  }
  /// Adds \p CB, unless it allocates itself, and the calls through which it was
  /// inlined.
  void addInlined(const WrapperCalls &Calls, const llvm::CallBase &CB);
  uint64_t id() const { return ek_chain_id(&Chain); }
  /// Places of the calls that form the context, innermost first.
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

  /// Functions that may run during a call of a wrapper.
  const llvm::DenseSet<const llvm::Function *> &within() const {
    return Within;
  }
  /// The contexts, with their calls, of the allocation \p CB of \p Site in such
  /// a function; empty: \p CB is in none, or there are too many.
  std::map<uint64_t, std::vector<std::string>>
  contextsOf(const llvm::CallBase &CB, uint64_t Site) const;
};

/// Finds contexts of allocations that were inlined into the functions that call
/// wrappers.
class ContextFinder {
  WrapperCalls Calls;
  llvm::DenseSet<const llvm::Function *> Within; // functions that wrappers run

public:
  ContextFinder(llvm::Module &M, const SourceMap &Source);
  /// Sets the context of \p S, and its calls, if the code shows them.
  void find(const SourceMap &Source, const llvm::CallBase &CB,
            SiteInfo &S) const;
};

} // namespace evenkeel

#endif
