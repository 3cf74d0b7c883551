//===- ProjectRoot.cpp - the root of a project's paths --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ProjectRoot.h. Called once per compilation: it looks at files, but runs
// and parses nothing. Plugins use this, so nothing here throws.
//===----------------------------------------------------------------------===//
#include "ProjectRoot.h"
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace evenkeel {

/// The canonical path, as far as it exists.
static fs::path resolved(const fs::path &Directory, const fs::path &Path) {
  const fs::path Full = Directory / Path;
  std::error_code E;
  fs::path Real = fs::weakly_canonical(Full, E);
  return E ? Full.lexically_normal() : Real;
}

static bool isSystem(const fs::path &Folder) {
  return Folder.string().rfind("/usr/", 0) == 0;
}

static bool isUnit(const fs::path &File) {
  const std::string E = File.extension().string();
  return E == ".c" || E == ".cc" || E == ".cp" || E == ".cpp" || E == ".cxx" ||
         E == ".c++" || E == ".C" || E == ".CPP";
}

/// The name in `#include "name"`, or empty.
static std::string includedName(const std::string &Line) {
  size_t At = Line.find_first_not_of(" \t");
  if (At == std::string::npos || Line[At] != '#')
    return "";
  At = Line.find_first_not_of(" \t", At + 1);
  const std::string Word = "include";
  if (At == std::string::npos || Line.compare(At, Word.size(), Word) != 0)
    return "";
  At = Line.find_first_not_of(" \t", At + Word.size());
  if (At == std::string::npos || Line[At] != '"')
    return "";
  const size_t End = Line.find('"', At + 1);
  return End == std::string::npos ? "" : Line.substr(At + 1, End - At - 1);
}

/// The text after \p Name in the first line of \p File that contains it; or
/// empty.
static std::string valueIn(const fs::path &File, const std::string &Name) {
  std::error_code E;
  if (!fs::is_regular_file(File, E))
    return "";
  std::ifstream Text(File);
  for (std::string Line; std::getline(Text, Line);)
    if (const size_t At = Line.find(Name); At != std::string::npos)
      return Line.substr(At + Name.size());
  return "";
}

static bool isThere(const fs::path &Path) {
  std::error_code E;
  return fs::exists(Path, E);
}

/// The makefile in \p Folder, or empty.
static fs::path makefileIn(const fs::path &Folder) {
  for (const char *Name : {"GNUmakefile", "makefile", "Makefile"})
    if (isThere(Folder / Name))
      return Folder / Name;
  return "";
}

/// \p Home, which a build folder names that was \p Was when it was configured
/// and is \p Is now: if both were moved together, where it is now.
static fs::path movedHome(const fs::path &Home, fs::path Was, fs::path Is) {
  while (Was.has_relative_path() && Was.filename() == Is.filename()) {
    Was = Was.parent_path();
    Is = Is.parent_path();
  }
  const fs::path Rest = Home.lexically_relative(Was);
  if (Was == Is || !Was.has_relative_path() || Rest.empty() ||
      *Rest.begin() == "..")
    return Home;
  const fs::path Now = (Is / Rest).lexically_normal();
  return isThere(Now) ? Now : Home;
}

void ProjectRoot::addBuild(const std::string &Directory) {
  fs::path At = resolved("/", Directory);
  if (!Builds.insert(At.string()).second)
    return;
  auto AddHome = [&](const fs::path &Folder) {
    if (const fs::path Home = resolved(At, Folder); Home.has_relative_path())
      Sources.insert(Home.string());
  };
  // CMake creates this folder wherever it compiles.
  if (isThere(At / "CMakeFiles")) {
    while (!isThere(At / "CMakeCache.txt") && At.has_relative_path())
      At = At.parent_path();
    const std::string Home =
        valueIn(At / "CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=");
    if (!Home.empty()) {
      Builds.insert(At.string());
      AddHome(movedHome(
          Home, valueIn(At / "CMakeCache.txt", "CMAKE_CACHEFILE_DIR:INTERNAL="),
          At));
    }
    return;
  }
  // Meson compiles in one folder and writes this file there.
  if (std::string Home =
          valueIn(At / "meson-info/meson-info.json", "\"source\": \"");
      Home.find('"') != std::string::npos) {
    AddHome(Home.substr(0, Home.find('"')));
    return;
  }
  for (; At.has_relative_path(); At = At.parent_path()) {
    const fs::path Makefile = makefileIn(At);
    if (Makefile.empty())
      return;
    Builds.insert(At.string());
    // Written by configure.
    if (const std::string Home = valueIn(Makefile, "top_srcdir = ");
        !Home.empty())
      AddHome(Home);
  }
}

void ProjectRoot::addSource(const std::string &File, unsigned Depth) {
  constexpr unsigned MostDepth = 8; // units that include units
  const fs::path Folder = fs::path(File).parent_path();
  if (Depth > MostDepth || isSystem(Folder) || !Folder.has_relative_path())
    return;
  Sources.insert(Folder.string());
  std::error_code E;
  if (!fs::is_regular_file(File, E))
    return;
  constexpr size_t MostText = 4 << 20; // includes are at the beginning
  size_t Read = 0;
  std::ifstream Text(File);
  for (std::string Line; Read < MostText && std::getline(Text, Line);) {
    Read += Line.size() + 1;
    const std::string Name = includedName(Line);
    if (Name.empty())
      continue;
    const fs::path Of = resolved(Folder, Name);
    if (!fs::is_regular_file(Of, E))
      continue;
    if (isUnit(Of) && Of.string() != File)
      addSource(Of.string(), Depth + 1);
    else if (!isSystem(Of))
      Sources.insert(Of.parent_path().string());
  }
}

void ProjectRoot::add(const std::string &Directory, const std::string &File) {
  addBuild(Directory);
  addSource(resolved(Directory, File).string(), 0);
}

static bool isBelow(const fs::path &Folder, const fs::path &Outer) {
  auto At = Folder.begin();
  for (const fs::path &Part : Outer)
    if (At == Folder.end() || *At++ != Part)
      return false;
  return true;
}

/// The deepest folder that contains all \p Folders; empty if that is `/`.
static std::string holding(const std::set<std::string> &Folders) {
  fs::path Root;
  for (const std::string &Folder : Folders) {
    if (Root.empty())
      Root = Folder;
    while (Root.has_relative_path() && !isBelow(Folder, Root))
      Root = Root.parent_path();
  }
  return Root.has_relative_path() ? Root.string() : "";
}

std::string ProjectRoot::get() const {
  std::set<std::string> All = Sources, Apart;
  All.insert(Builds.begin(), Builds.end());
  if (const std::string Root = holding(All); !Root.empty())
    return Root;
  for (const std::string &Folder : Sources) {
    bool Generated = false;
    for (const std::string &Build : Builds)
      Generated |= isBelow(Folder, Build);
    if (!Generated)
      Apart.insert(Folder);
  }
  return holding(Apart.empty() ? Sources : Apart);
}

std::string rootOfUnit(const std::string &Directory, const std::string &File) {
  ProjectRoot Found;
  Found.add(Directory, File);
  const std::string Root = Found.get();
  return !Root.empty() ? Root
                       : resolved(Directory, File).parent_path().string();
}

} // namespace evenkeel
