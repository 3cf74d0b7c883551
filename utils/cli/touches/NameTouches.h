//===- NameTouches.h - names for the memory of watched processes *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how code addresses become source lines (evenkeel-lines), call stacks
// names of objects, and static storage the objects of the symbol table.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_NAMETOUCHES_H
#define EVENKEEL_UTILS_CLI_NAMETOUCHES_H

#include "format/touches/RawTouches.h"
#include "format/touches/TouchRecord.h"

namespace evenkeel::cli {

/// A frame of a call stack, as the source has it.
struct SourceFrame {
  std::string Function, File;
  uint64_t Line = 0;
  bool System = false; // a header of a compiler or library
};

/// A large static object; addresses as linked.
struct StaticObject {
  std::string Name, File;
  uint64_t Address = 0, Bytes = 0, Line = 0;
};

/// What executables say, by path.
struct ModuleNames {
  std::map<uint64_t, std::vector<SourceFrame>> Frames; // innermost first
  std::vector<StaticObject> Objects;                   // by address
};

/// Asks evenkeel-lines about all addresses of \p Processes; its files lie in \p
/// Folder.
std::map<std::string, ModuleNames>
namesOf(const std::vector<RawTouches> &Processes, const std::string &Folder);

/// The record of \p Processes, in their order, with names.
TouchRecord namedRecord(const std::vector<RawTouches> &Processes,
                        const std::map<std::string, ModuleNames> &Names);

} // namespace evenkeel::cli

#endif
