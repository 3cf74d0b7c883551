//===- InputNumbers.cpp - the numbers in an input -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InputNumbers.h.
//===----------------------------------------------------------------------===//
#include "InputNumbers.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sys/stat.h>

using namespace evenkeel;

namespace {
/// A text with its numbers apart: "rmat:16:1000" has two.
struct Apart {
  std::string Around; // each number is one '#'
  std::vector<double> Values;
};
} // namespace

static Apart apart(const std::string &Text) {
  Apart Out;
  const char *C = Text.c_str();
  while (*C) {
    char *End = nullptr;
    const bool Begins =
        (*C >= '0' && *C <= '9') || (*C == '.' && C[1] >= '0' && C[1] <= '9');
    if (!Begins) {
      Out.Around += *C++;
      continue;
    }
    Out.Around += '#';
    Out.Values.push_back(std::strtod(C, &End));
    C = End;
  }
  return Out;
}

/// Whether \p Word is an option's name, and no negative number.
static bool isOption(const std::string &Word) {
  return Word.size() > 1 && Word[0] == '-' && !std::isdigit(Word[1]) &&
         Word[1] != '.';
}

std::vector<InputNumber> evenkeel::numbersOf(const CommandLine &C) {
  std::vector<InputNumber> Out;
  std::map<std::string, unsigned> Options; // times seen
  std::string Last;                        // the last option, and which of it
  size_t At = 0;
  for (size_t K = 1; K < C.Arguments.size(); ++K) {
    const std::string &Word = C.Arguments[K];
    const std::string Name = "argument " + std::to_string(K);
    const Apart Its = apart(Word);
    auto File = C.Files.find(Word);
    if (isOption(Word)) {
      // --in=FILE is the same option whatever the file's name is.
      const std::string Option = File == C.Files.end()
                                     ? Its.Around
                                     : Word.substr(0, Word.find('=') + 1);
      Last = Option + "/" + std::to_string(Options[Option]++);
      At = K;
    }
    const std::string Place = Last + "+" + std::to_string(K - At) + " ";
    if (File == C.Files.end()) {
      for (size_t V = 0; V < Its.Values.size(); ++V)
        Out.push_back({Place + Its.Around + std::to_string(V),
                       Its.Values.size() > 1
                           ? Name + " (number " + std::to_string(V + 1) + ")"
                           : Name,
                       Its.Values[V]});
      continue;
    }
    auto Add = [&](const std::string &What, double Value) {
      Out.push_back({Place + What, What + Name, Value});
    };
    Add("bytes of ", File->second.Bytes);
    if (File->second.Lines > 0)
      Add("lines of ", File->second.Lines);
    for (size_t N = 0; N < File->second.Numbers.size(); ++N)
      Add("number " + std::to_string(N + 1) + " in ", File->second.Numbers[N]);
  }
  return Out;
}

/// Whether \p Line is a comment in one of the usual formats of data: matrices,
/// graphs, meshes, images, tables.
static bool isComment(const std::string &Line) {
  const size_t At = Line.find_first_not_of(" \t");
  return At == std::string::npos || std::strchr("#%*\"!;/>", Line[At]) ||
         Line.compare(At, 2, "c ") == 0;
}

static void addNumbers(const std::string &Line, size_t Most,
                       std::vector<double> &To) {
  const char *Between = " \t\r,;:={}()[]";
  size_t At = Line.find_first_not_of(Between);
  while (At != std::string::npos && To.size() < Most) {
    const size_t End = std::min(Line.find_first_of(Between, At), Line.size());
    const std::string Word = Line.substr(At, End - At);
    char *Last = nullptr;
    const double V = std::strtod(Word.c_str(), &Last);
    if (!*Last && std::isfinite(V) && (std::isdigit(Word[0]) || Word[0] == '.'))
      To.push_back(V);
    At = Line.find_first_not_of(Between, End);
  }
}

bool evenkeel::readInputFile(const std::string &Path, size_t MostBytes,
                             InputFile &Out) {
  struct stat S;
  if (stat(Path.c_str(), &S) || !S_ISREG(S.st_mode))
    return false;
  Out = {double(S.st_size), 0, {}};
  std::ifstream In(Path, std::ios::binary);
  if (size_t(S.st_size) > MostBytes || !In)
    return true;
  // Sizes stand at the head of a file; what follows is data.
  constexpr size_t MostNumbers = 8, HeadLines = 4;
  size_t WithNumbers = 0, Lines = 0;
  std::string Line;
  while (std::getline(In, Line)) {
    if (std::memchr(Line.data(), 0, Line.size())) {
      Out.Numbers.clear();
      return true; // no text
    }
    ++Lines;
    if (WithNumbers < HeadLines && !isComment(Line)) {
      const size_t Before = Out.Numbers.size();
      addNumbers(Line, MostNumbers, Out.Numbers);
      WithNumbers += Out.Numbers.size() > Before;
    }
  }
  Out.Lines = double(Lines);
  return true;
}
