//===- built_program_target.cpp - how programs say how they were built ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the input is an ELF file, an archive, or the text of a section. Units
// and links that are read come back from what is written of them, and copying
// an archive twice changes nothing more.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "cli/programs/Archive.h"
#include "cli/programs/ElfFile.h"
#include "format/builds/BuildNote.h"

using namespace evenkeel;
using namespace evenkeel::cli;
using namespace ekfuzz;

static bool checkUnits(const std::string &Section) {
  size_t Broken = 0;
  const std::vector<BuiltUnit> Units = readUnits(Section, Broken);
  for (const BuiltUnit &U : Units) {
    const std::vector<BuiltUnit> Again = readUnits(unitLine(U), Broken);
    EK_HOLDS(Again.size() == 1 && !Broken, "a written unit is refused");
    EK_HOLDS(unitLine(Again[0]) == unitLine(U), "a unit changes");
  }
  return !Units.empty();
}

static bool checkLink(const std::string &Section) {
  const std::optional<BuiltLink> L = readLink(Section);
  if (!L)
    return false;
  const std::optional<BuiltLink> Again = readLink(linkLine(*L));
  EK_HOLDS(Again && linkLine(*Again) == linkLine(*L), "a link changes");
  return true;
}

static bool checkArchive(const std::string &Bytes) {
  const auto All = [](std::string_view) { return true; };
  const std::optional<std::string> Copy = archiveOf(Bytes, All);
  if (!Copy)
    return false;
  EK_HOLDS(archiveOf(*Copy, All) == Copy, "a copied archive changes");
  EK_HOLDS(archiveOf(Bytes, [](std::string_view) { return false; }),
           "an archive cannot be emptied");
  return true;
}

bool ekfuzz::runBuiltProgram(const std::string &Input) {
  const ElfFile F = ElfFile::ofBytes(Input);
  std::set<std::string> Sources;
  F.addSources(Sources);
  F.neededLibraries();
  F.soname();
  for (const std::string &Folder : F.runpath("/origin"))
    EK_HOLDS(!Folder.empty(), "an empty folder");
  EK_HOLDS(F.runpath("/").empty() || F.rpath("/").empty(),
           "a file has both search paths");
  const bool Units = checkUnits(F.isElf() ? F.section(UnitsSection) : Input);
  const bool Link = checkLink(F.isElf() ? F.section(LinkSection) : Input);
  return checkArchive(Input) || F.isElf() || Units || Link;
}
