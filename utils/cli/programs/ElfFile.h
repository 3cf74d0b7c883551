//===- ElfFile.h - parts of a program's file --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: sections, source names, and needed libraries of 64-bit ELF files.
// Their bytes come from outside: every offset is checked.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_ELFFILE_H
#define EVENKEEL_UTILS_CLI_ELFFILE_H

#include "FileBytes.h"
#include <elf.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel::cli {

class ElfFile {
  FileBytes Bytes;
  std::vector<Elf64_Shdr> Sections;
  std::string Names; // of the sections

public:
  /// Of the file \p Path; empty if it cannot be read or is not ELF.
  explicit ElfFile(const std::string &Path);
  /// Of \p Bytes.
  static ElfFile ofBytes(std::string Bytes);

  bool isElf() const { return !Sections.empty(); }
  /// Whether it has a section named \p Name, which may be empty.
  bool has(std::string_view Name) const;
  /// The contents of all sections named \p Name, one after the other.
  std::string section(std::string_view Name) const;
  /// The address of the code at \p Offset in the file; nullopt: no code there.
  std::optional<uint64_t> codeAddress(uint64_t Offset) const;
  /// Adds the names of the sources that symbols give, without folders.
  void addSources(std::set<std::string> &To) const;
  /// The libraries that the file names.
  std::vector<std::string> neededLibraries() const;
  /// The name by which what is linked with this library needs it; "": that of
  /// the file.
  std::string soname() const;
  /// The folders in which the loader searches for libraries that a file in the
  /// folder \p Origin needs: after those of LD_LIBRARY_PATH, and before them.
  /// A file that has the former has none of the latter.
  std::vector<std::string> runpath(const std::string &Origin) const;
  std::vector<std::string> rpath(const std::string &Origin) const;

private:
  ElfFile() = default;
  void read();
  template <typename T> std::vector<T> rowsAt(uint64_t At, uint64_t Size) const;
  std::string contents(const Elf64_Shdr &S) const;
  std::string_view nameOf(const Elf64_Shdr &S) const;
  template <typename T, typename F> void rows(uint32_t Type, F Each) const;
  std::vector<std::string> dynamicTexts(int64_t Tag) const;
  std::vector<std::string> foldersOf(int64_t Tag,
                                     const std::string &Origin) const;
};

/// The folders of a search path; \p Origin stands for $ORIGIN.
std::vector<std::string> foldersIn(std::string_view List,
                                   std::string_view Separators,
                                   const std::string &Origin);

/// Whether a folder has libraries of the system, not of a project.
bool isSystemFolder(const std::string &Folder);

} // namespace evenkeel::cli

#endif
