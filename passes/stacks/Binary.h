//===- Binary.h - a linked program or library, with its lines ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ELF files, split debug files (debug link, build id), and what
// identifies a build: the build id, or a hash of the code as the loader maps
// it.
// Not here: the meaning of the lines (LineTable).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_STACKS_BINARY_H
#define EVENKEEL_PASSES_STACKS_BINARY_H

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include <memory>
#include <string>
#include <vector>

namespace evenkeel {

struct CodeRange {
  uint64_t From = 0, To = 0;
};

struct LinkedFile {
  std::string Name;            // without folders
  std::string Build;           // as in Stacks.h
  std::vector<CodeRange> Code; // executable sections, sorted
  std::unique_ptr<llvm::DWARFContext> Lines;

  // Own the data that Lines points into.
  llvm::object::OwningBinary<llvm::object::Binary> File, DebugFile;

  const llvm::object::ObjectFile &object() const {
    return *llvm::cast<llvm::object::ObjectFile>(File.getBinary());
  }
};

/// Opens the file at \p Path. Returns a one-line error if it is no ELF file,
/// not linked, static, or has no line table.
llvm::Expected<LinkedFile> readBinary(llvm::StringRef Path);

} // namespace evenkeel

#endif
