//===- ElfFile.h - parts of a program's file --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: sections, source names, and needed libraries of 64-bit ELF files.
// Their bytes come from outside: every offset is checked.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_ELFFILE_H
#define EVENKEEL_UTILS_CLI_ELFFILE_H

#include <elf.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace evenkeel::cli {

class ElfFile {
  std::string Bytes;
  std::vector<Elf64_Shdr> Sections;
  size_t Names = 0; // index of the section with their names

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
  /// The folders of a project, not of the system, in which a file in the folder
  /// \p Origin searches for libraries.
  std::vector<std::string> libraryFolders(const std::string &Origin) const;

private:
  ElfFile() = default;
  void read();
  template <typename T> bool get(uint64_t At, T &To) const;
  std::string textAt(const Elf64_Shdr &Strings, uint64_t At) const;
  std::string linkedText(const Elf64_Shdr &Of, uint64_t At) const;
  template <typename T, typename F> void rows(uint32_t Type, F Each) const;
  std::vector<std::string> dynamicTexts(int64_t Tag, int64_t OrTag) const;
};

/// \p Program and the project's own libraries that it is linked with, directly
/// or not: those in folders that the files name; each once, the program first.
/// For a libtool script, the program that it starts.
std::vector<std::string> programAndLibraries(const std::string &Program);

} // namespace evenkeel::cli

#endif
