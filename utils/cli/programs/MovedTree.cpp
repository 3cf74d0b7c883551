//===- MovedTree.cpp - a program beside a copy of its sources -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MovedTree.h.
//===----------------------------------------------------------------------===//
#include "MovedTree.h"
#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace evenkeel::cli {

/// The path to which \p L wrote the program; "": not known.
static std::string outputOf(const BuiltLink &L) {
  const auto O = std::find(L.Words.begin(), L.Words.end(), "-o");
  if (O == L.Words.end() || std::next(O) == L.Words.end())
    return "";
  return (fs::path(L.Directory) / *std::next(O)).lexically_normal().string();
}

std::string moved(const std::string &Word, const TreeMove &M) {
  const size_t At = Word.find(M.From);
  if (At == std::string::npos)
    return Word;
  const std::string Rest = Word.substr(At + M.From.size());
  const bool Whole = Rest.empty() || Rest[0] == '/';
  const bool Begins = At == 0 || Word[0] == '-';
  return Whole && Begins ? Word.substr(0, At) + M.To + Rest : Word;
}

static bool isBelow(const std::string &Path, const std::string &Folder) {
  return Path.rfind(Folder + "/", 0) == 0;
}

/// Whether the files of \p P that lay below the old folder are in the new one,
/// at least one.
static bool hasSources(const BuiltProgram &P, const TreeMove &M) {
  bool Any = false;
  for (const BuiltFile &F : P.Files)
    for (const BuiltUnit &U : F.Units)
      for (const auto &[Path, Hash] : U.Files) {
        if (!isBelow(Path, M.From))
          continue;
        if (!fs::is_regular_file(moved(Path, M)))
          return false;
        Any = true;
      }
  return Any;
}

std::optional<TreeMove> findMove(const BuiltProgram &P,
                                 const std::string &Program) {
  if (P.Files.empty() || !P.Files[0].Link)
    return std::nullopt;
  const std::string Output = outputOf(*P.Files[0].Link);
  std::error_code EC;
  fs::path Old = fs::path(Output).parent_path(),
           New = fs::canonical(Program, EC).parent_path();
  if (Output.empty() || EC || fs::weakly_canonical(Old, EC) == New)
    return std::nullopt;
  // The folders that both trees have in common below their own.
  while (Old.filename() == New.filename() && Old.has_relative_path()) {
    Old = Old.parent_path();
    New = New.parent_path();
  }
  TreeMove M{Old.string(), New.string()};
  if (M.From.size() < 2 || !hasSources(P, M))
    return std::nullopt;
  return M;
}

void followTree(BuiltProgram &P, const TreeMove &M) {
  const auto Follow = [&](std::string &Directory,
                          std::vector<std::string> &Words) {
    Directory = moved(Directory, M);
    for (std::string &Word : Words)
      Word = moved(Word, M);
  };
  for (BuiltFile &F : P.Files) {
    if (F.Link)
      Follow(F.Link->Directory, F.Link->Words);
    for (BuiltUnit &U : F.Units) {
      U.File = moved(U.File, M);
      U.Line.Root = moved(U.Line.Root, M);
      Follow(U.Line.Directory, U.Line.Words);
      std::map<std::string, uint64_t> Files;
      for (const auto &[Path, Hash] : U.Files)
        Files[moved(Path, M)] = Hash;
      U.Files = std::move(Files);
    }
  }
  P.Moved = M;
}

} // namespace evenkeel::cli
