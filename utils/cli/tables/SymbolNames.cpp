//===- SymbolNames.cpp - short names of symbols ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SymbolNames.h.
//===----------------------------------------------------------------------===//
#include "SymbolNames.h"
#include "format/Identity.h"
#include <set>

std::function<std::string(uint64_t)>
evenkeel::cli::symbolNames(const Facts &F) {
  auto Short = [](const std::string &Name) {
    return Name.substr(Name.find(':') + 1);
  };
  std::map<std::string, std::set<std::string>> Full;
  for (const SymbolFact &S : F.Symbols)
    Full[Short(S.Name)].insert(S.Name);
  return [&F, Short, Full](uint64_t Id) {
    const SymbolFact *S = F.symbol(Id);
    if (!S)
      return idToString(Id);
    std::string Name = Short(S->Name);
    return Full.at(Name).size() > 1 ? S->Name : Name;
  };
}
