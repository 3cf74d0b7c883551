//===- IdsHeader.h - the generated header of kept sources -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: evenkeel_ids.h, which sources that are kept include: it gives each
// name of a place its id, file by file, and defines what the sources use, with
// Evenkeel and without it.
// Makes: its values from its text, and its text from its values.
// Not here: which names there are (Names.h), and where the header is.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_KEPT_IDSHEADER_H
#define EVENKEEL_REWRITER_KEPT_IDSHEADER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel {

/// A macro that takes names (EK_SITE, ...) and a name.
using PlaceName = std::pair<std::string, std::string>;

/// The symbols of the values that are handed over before a region.
struct HandedSymbols {
  uint64_t Region = 0;
  std::vector<uint64_t> Symbols;
};

struct IdsOfFile {
  std::map<PlaceName, uint64_t> Ids;
  std::map<std::string, HandedSymbols> Handed; // by the region's name
};

struct IdsHeader {
  std::map<std::string, IdsOfFile> Files; // by path relative to the header
  /// The functions and macros that the sources use: ek_malloc, EK_NEW, ...
  std::set<std::string> Used;
};

/// Whether \p Text is of a file that writeIdsHeader wrote.
bool isIdsHeader(llvm::StringRef Text);

/// Reads what writeIdsHeader wrote; lines that it did not write are left out.
IdsHeader readIdsHeader(llvm::StringRef Text);

/// \p PublicHeader is the text of evenkeel/ek.h, whose definitions for
/// EVENKEEL_DISABLE are used where there is no Evenkeel.
std::string writeIdsHeader(const IdsHeader &H, llvm::StringRef PublicHeader);

/// Whether \p Word is defined by evenkeel/ek.h or by the generated header.
bool isHeaderWord(llvm::StringRef Word);

} // namespace evenkeel

#endif
