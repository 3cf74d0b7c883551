//===- SourceNames.cpp - the variable that gets an allocation -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SourceNames.h.
//===----------------------------------------------------------------------===//
#include "SourceNames.h"
#include "format/Facts.h"
#include <cctype>
#include <fstream>

namespace evenkeel::cli {

static bool isWord(char C) {
  return std::isalnum(static_cast<unsigned char>(C)) || C == '_';
}

static void dropBlanks(std::string &Text) {
  while (!Text.empty() && (Text.back() == ' ' || Text.back() == '\t'))
    Text.pop_back();
}

/// Removes a cast, "new" and the like from the end of \p Text.
static void dropCasts(std::string &Text) {
  for (bool Again = true; Again;) {
    dropBlanks(Text);
    Again = false;
    if (!Text.empty() && (Text.back() == ')' || Text.back() == '(')) {
      const size_t Open = Text.rfind('(');
      if (Open == std::string::npos)
        return;
      // A call's name may stand before: "static_cast<double *>(".
      Text.resize(Open);
      dropBlanks(Text);
      if (!Text.empty() && Text.back() == '>')
        Text.resize(std::min(Text.size(), Text.rfind('<')));
      while (!Text.empty() && isWord(Text.back()))
        Text.pop_back();
      Again = true;
    }
  }
}

std::string nameInLine(const std::string &Line, size_t Column) {
  if (Column == 0 || Column > Line.size())
    return "";
  std::string Before = Line.substr(0, Column - 1);
  dropCasts(Before);
  std::string Name;
  if (!Before.empty() && Before.back() == '=' &&
      (Before.size() < 2 ||
       std::string("=!<>").find(Before[Before.size() - 2]) ==
           std::string::npos)) {
    Before.pop_back();
    dropBlanks(Before);
    // "m->row[i]", with all of what stands in brackets.
    size_t At = Before.size(), Depth = 0;
    while (At > 0) {
      const char C = Before[At - 1];
      Depth += C == ']';
      if (C == '[' && Depth)
        --Depth;
      else if (!Depth && !isWord(C) && C != '.' && C != ']' &&
               !(C == '>' && At > 1 && Before[At - 2] == '-') &&
               !(C == '-' && At < Before.size() && Before[At] == '>'))
        break;
      --At;
    }
    Name = Before.substr(At);
  } else if (isWord(Line[Column - 1])) {
    // A declaration: the name stands at the column itself.
    size_t End = Column - 1;
    while (End < Line.size() && isWord(Line[End]))
      ++End;
    const std::string Word = Line.substr(Column - 1, End - (Column - 1));
    // A call of an allocator is no name.
    size_t Next = Line.find_first_not_of(" \t", End);
    if (Next != std::string::npos &&
        std::string("[=;{,").find(Line[Next]) != std::string::npos)
      Name = Word;
  }
  const bool Starts = !Name.empty() && isWord(Name[0]) &&
                      !std::isdigit(static_cast<unsigned char>(Name[0]));
  return Starts && Name.size() <= 40 ? Name : "";
}

std::string SourceNames::at(const std::string &At) {
  if (Root.empty())
    return "";
  const auto [Path, Line, Column] = coordinateOf(At);
  // Only files of the project: nothing above its root.
  if (Path.empty() || Path[0] == '/' || Path.find("..") != std::string::npos)
    return "";
  auto [It, New] = Lines.try_emplace(Path);
  if (New) {
    std::ifstream In(Root + "/" + Path);
    std::string Text;
    while (It->second.size() < 1000000 && std::getline(In, Text))
      It->second.push_back(Text);
  }
  return Line && Line <= It->second.size()
             ? nameInLine(It->second[Line - 1], Column)
             : "";
}

} // namespace evenkeel::cli
