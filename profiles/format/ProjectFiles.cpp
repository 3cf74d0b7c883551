//===- ProjectFiles.cpp - a project's files beside its root ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ProjectFiles.h. Results for a folder are remembered until the process (a
// compilation) ends. Plugins use this, so nothing here throws.
//===----------------------------------------------------------------------===//
#include "ProjectFiles.h"
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

namespace fs = std::filesystem;

namespace evenkeel {

static bool isThere(const fs::path &Path) {
  std::error_code E;
  return fs::exists(Path, E);
}

std::string nameBelow(const std::string &File, const std::string &Root) {
  const std::string Prefix = Root == "/" ? Root : Root + "/";
  return !Root.empty() && File.compare(0, Prefix.size(), Prefix) == 0
             ? File.substr(Prefix.size())
             : "";
}

static bool holds(const std::string &Folder, const std::string &Path) {
  return Folder == Path || !nameBelow(Path, Folder).empty();
}

static std::string homeFolder() {
  const char *Home = std::getenv("HOME");
  std::error_code E;
  const fs::path Real = fs::canonical(Home ? Home : "", E);
  return E ? "" : Real.string();
}

/// Whether \p Folder usually contains several projects.
static bool isShared(const fs::path &Folder) {
  static const std::set<std::string> Known = {
      "/bin",  "/boot", "/dev",       "/etc",     "/gnu",       "/gnu/store",
      "/home", "/lib",  "/lib32",     "/lib64",   "/media",     "/mnt",
      "/nix",  "/opt",  "/nix/store", "/proc",    "/run",       "/sbin",
      "/snap", "/srv",  "/sys",       "/tmp",     "/usr",       "/usr/include",
      "/var",  "/root", "/usr/lib",   "/usr/src", "/usr/share", "/usr/local",
      "/Users"};
  static const std::string Home = homeFolder();
  if (!Folder.has_relative_path() || Known.count(Folder.string()) ||
      (!Home.empty() && holds(Folder.string(), Home)))
    return true;
  std::error_code E;
  const fs::perms Mode = fs::status(Folder, E).permissions();
  return !E && (Mode & fs::perms::sticky_bit) != fs::perms::none;
}

/// Whether packages are installed in \p Folder.
static bool isPrefix(const fs::path &Folder) {
  for (const char *Sign :
       {"lib/pkgconfig", "lib64/pkgconfig", "share/pkgconfig", "lib/cmake",
        "lib64/cmake", "conda-meta", "pyvenv.cfg", ".spack"})
    if (isThere(Folder / Sign))
      return true;
  return false;
}

/// The outermost folder under version control that contains \p Path, or empty.
static std::string versionedFolder(const fs::path &Path) {
  std::string Top;
  for (fs::path At = Path; !isShared(At); At = At.parent_path())
    for (const char *Sign : {".git", ".hg", ".svn", ".bzr", ".jj", "_darcs"})
      if (isThere(At / Sign))
        Top = At.string();
  return Top;
}

/// The deepest folder that contains both the header's \p Folder and \p Root if
/// the header belongs to the project; else empty.
static std::string holdingBoth(const fs::path &Folder,
                               const std::string &Root) {
  fs::path Around = Root;
  while (!holds(Around.string(), Folder.string()))
    Around = Around.parent_path();
  if (isShared(Around) ||
      (Folder.filename() == "evenkeel" && isThere(Folder / "ek.h")))
    return "";
  for (fs::path At = Folder; At != Around; At = At.parent_path())
    if (isPrefix(At))
      return "";
  return versionedFolder(Root) == versionedFolder(Folder) ? Around.string()
                                                          : "";
}

std::string nameInProject(const std::string &File, const std::string &Root) {
  if (Root.empty())
    return "";
  if (std::string Name = nameBelow(File, Root); !Name.empty())
    return Name;
  // The compiler asks about every header, often from the same folders.
  thread_local std::map<std::pair<std::string, std::string>, std::string> Known;
  const fs::path Folder = fs::path(File).parent_path();
  // Relative names ("<command line>", a name in a #line) are not in any folder.
  if (!Folder.is_absolute() || !fs::path(Root).is_absolute())
    return "";
  auto [Around, New] = Known.try_emplace({Root, Folder.string()});
  if (New)
    Around->second = holdingBoth(Folder, Root);
  return nameBelow(File, Around->second);
}

} // namespace evenkeel
