//===- ResponseFiles.cpp - response files in commands ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ResponseFiles.h. gcc and clang use the same quoting: a backslash quotes
// the next character, inside both kinds of quotes too.
//===----------------------------------------------------------------------===//
#include "ResponseFiles.h"
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace evenkeel {

static std::vector<std::string> splitResponse(const std::string &Text) {
  std::vector<std::string> Words;
  std::string Word;
  bool Inside = false;
  char Quote = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    bool Space = C == ' ' || C == '\t' || C == '\n' || C == '\r' || C == '\f' ||
                 C == '\v';
    if (C == '\\' && I + 1 < Text.size()) {
      Word += Text[++I];
      Inside = true;
    } else if (Quote) {
      if (C == Quote)
        Quote = 0;
      else
        Word += C;
    } else if (C == '\'' || C == '"') {
      Quote = C;
      Inside = true;
    } else if (!Space) {
      Word += C;
      Inside = true;
    } else if (Inside) {
      Words.push_back(std::move(Word));
      Word.clear();
      Inside = false;
    }
  }
  if (Inside)
    Words.push_back(std::move(Word));
  return Words;
}

std::optional<std::vector<std::string>>
readResponse(const std::string &Word, const std::string &Directory) {
  std::error_code E;
  if (Word.size() < 2 || Word[0] != '@')
    return std::nullopt;
  const fs::path Path = fs::path(Directory) / Word.substr(1);
  std::ifstream File;
  if (!fs::is_directory(Path, E))
    File.open(Path, std::ios::binary);
  if (!File.is_open())
    return std::nullopt;
  std::stringstream Text;
  Text << File.rdbuf();
  return splitResponse(Text.str());
}

/// \p Open: the response files being expanded.
static void addWords(const std::vector<std::string> &Command,
                     const std::string &Directory, std::set<fs::path> &Open,
                     std::vector<std::string> &Out) {
  std::error_code E;
  for (const std::string &Word : Command) {
    const std::optional<std::vector<std::string>> Inside =
        readResponse(Word, Directory);
    fs::path File;
    if (Inside)
      File = fs::weakly_canonical(fs::path(Directory) / Word.substr(1), E);
    if (!Inside || !Open.insert(File).second) {
      Out.push_back(Word);
      continue;
    }
    addWords(*Inside, Directory, Open, Out);
    Open.erase(File);
  }
}

std::vector<std::string>
withResponseFiles(const std::vector<std::string> &Command,
                  const std::string &Directory) {
  std::vector<std::string> Out;
  std::set<fs::path> Open;
  addWords(Command, Directory, Open, Out);
  return Out;
}

} // namespace evenkeel
