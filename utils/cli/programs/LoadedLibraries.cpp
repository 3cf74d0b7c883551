//===- LoadedLibraries.cpp - what the loader adds to a program ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LoadedLibraries.h.
//===----------------------------------------------------------------------===//
#include "LoadedLibraries.h"
#include "ElfFile.h"
#include <cstdlib>
#include <filesystem>
#include <set>

namespace fs = std::filesystem;

namespace evenkeel::cli {

std::vector<std::string> environmentFolders(const std::string &Origin) {
  const char *Text = getenv("LD_LIBRARY_PATH");
  if (!Text || !*Text)
    return {};
  std::vector<std::string> Out;
  for (const std::string &Folder : foldersIn(Text, ":;", Origin)) {
    std::error_code E; // an empty one is the current folder
    fs::path Whole = fs::absolute(Folder.empty() ? "." : Folder, E);
    Whole = Whole.lexically_normal();
    Out.push_back(
        (Whole.has_filename() ? Whole : Whole.parent_path()).string());
  }
  return Out;
}

namespace {
/// A file of the program, and the RPATH of what loaded it.
struct Loaded {
  fs::path Path;
  std::vector<std::string> Inherited;
};

class Loader {
  const std::function<std::string(const std::string &)> &Moved;
  std::vector<std::string> Environment;

public:
  Loader(const std::function<std::string(const std::string &)> &Moved,
         const fs::path &Program)
      : Moved(Moved),
        Environment(environmentFolders(Program.parent_path().string())) {}

  /// The libraries that \p L names, where they are found.
  std::vector<Loaded> neededBy(const Loaded &L) const {
    const ElfFile File(L.Path.string());
    const std::string Origin = L.Path.parent_path().string();
    const std::vector<std::string> Run = File.runpath(Origin);
    std::vector<std::string> Inherited = File.rpath(Origin);
    append(Inherited, L.Inherited);
    std::vector<std::string> Folders;
    if (Run.empty())
      Folders = Inherited;
    append(Folders, Environment);
    append(Folders, Run);
    std::vector<Loaded> Out;
    for (const std::string &Name : File.neededLibraries())
      if (fs::path Path = find(Name, Folders); !Path.empty())
        Out.push_back({std::move(Path), Inherited});
    return Out;
  }

private:
  static void append(std::vector<std::string> &To,
                     const std::vector<std::string> &More) {
    To.insert(To.end(), More.begin(), More.end());
  }

  /// "" if it is not found, or is the system's.
  fs::path find(const std::string &Name,
                const std::vector<std::string> &Folders) const {
    std::error_code E;
    if (Name.find('/') != std::string::npos)
      return fs::is_regular_file(Name, E) ? fs::absolute(Name, E) : fs::path();
    for (const std::string &Folder : Folders) {
      const std::string Now = Moved ? Moved(Folder) : Folder;
      for (const std::string &Its : {Now, Folder})
        if (fs::is_regular_file(fs::path(Its) / Name, E))
          return isSystemFolder(Its) ? fs::path() : fs::path(Its) / Name;
    }
    return {};
  }
};
} // namespace

std::vector<std::string> programAndLibraries(
    const std::string &Program,
    const std::function<std::string(const std::string &)> &Moved) {
  std::error_code E;
  fs::path First = fs::absolute(Program, E).lexically_normal();
  if (fs::path Real = First.parent_path() / ".libs" / First.filename();
      fs::is_regular_file(Real, E) && !ElfFile(First.string()).isElf())
    First = Real;
  const Loader Of(Moved, First);
  std::vector<std::string> Out;
  std::set<fs::path> Seen;
  std::vector<Loaded> Left = {{First, {}}};
  for (size_t I = 0; I < Left.size(); ++I) {
    const Loaded L = Left[I];
    if (!fs::is_regular_file(L.Path, E) ||
        !Seen.insert(fs::weakly_canonical(L.Path, E)).second)
      continue;
    Out.push_back(L.Path.string());
    for (Loaded &Its : Of.neededBy(L))
      Left.push_back(std::move(Its));
  }
  return Out;
}

} // namespace evenkeel::cli
