//===- Histogram.cpp - Paramedir's histograms of objects ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Histogram.h.
//===----------------------------------------------------------------------===//
#include "Histogram.h"
#include "Numbers.h"
#include "format/File.h"

using namespace evenkeel;
using namespace evenkeel::ecohmem;

/// \p Text up to \p Close; if Close is npos, all but the last character, as a
/// Python slice up to -1.
static std::string upTo(const std::string &Text, size_t From, size_t Close) {
  size_t To = Close;
  if (Close == std::string::npos) {
    To = Text.empty() ? 0 : Text.size() - 1;
    while (To && (static_cast<unsigned char>(Text[To]) & 0xc0) == 0x80)
      --To; // one character may be several bytes
  }
  return To > From ? Text.substr(From, To - From) : "";
}

std::string ecohmem::stackOfLabel(const std::string &Label) {
  size_t Open = Label.find('[');
  if (Open != std::string::npos)
    return upTo(Label, Open + 1, Label.find(']'));
  Open = Label.find('(');
  size_t Close = Label.find(')');
  if (Open != std::string::npos && Close != std::string::npos && Close > Open)
    return Label.substr(Open + 1, Close - Open - 1);
  return Label;
}

/// The cells of a row without the first and the last one.
static std::vector<std::string> innerCells(const std::string &Line) {
  std::vector<std::string> Out;
  size_t From = Line.find('\t');
  while (From != std::string::npos) {
    size_t To = Line.find('\t', From + 1);
    if (To == std::string::npos)
      break;
    Out.push_back(Line.substr(From + 1, To - From - 1));
    From = To;
  }
  return Out;
}

Expected<Histogram> ecohmem::parseHistogram(const std::string &Raw,
                                            const std::string &Path,
                                            const std::string &Row) {
  const std::string Text = unixLines(Raw);
  Histogram H;
  bool Found = false;
  for (size_t From = 0, Line = 0; From < Text.size() && !Found; ++Line) {
    size_t To = Text.find('\n', From);
    if (To == std::string::npos)
      To = Text.size();
    std::string L = Text.substr(From, To - From);
    From = To + 1;
    if (Line == 0)
      for (const std::string &Label : innerCells(L))
        H.Stacks.push_back(stackOfLabel(Label));
    // The search starts in the first row, as ecoHMEM's own does.
    if (L.find(Row) == std::string::npos)
      continue;
    H.Cells = innerCells(L);
    Found = true;
  }
  if (!Found)
    return Error{oneLine(Path) + ": no row '" + oneLine(Row) +
                 "'; expected a histogram that Paramedir wrote"};
  if (H.Cells.size() != H.Stacks.size())
    return Error{oneLine(Path) + ": row '" + oneLine(Row) + "' has " +
                 std::to_string(H.Cells.size()) + " figures for " +
                 std::to_string(H.Stacks.size()) +
                 " objects; is the file complete?"};
  return H;
}

Expected<Histogram> ecohmem::readHistogram(const std::string &Path,
                                           const std::string &Row) {
  Expected<std::string> Text = readWholeFile(Path);
  if (!Text)
    return Text.takeError();
  return parseHistogram(*Text, Path, Row);
}

std::string ecohmem::histogramText(const std::vector<std::string> &Stacks,
                                   const std::vector<uint64_t> &Figures) {
  std::string Out;
  for (const std::string &S : Stacks)
    Out += "\t[" + oneLine(S) + "]";
  Out += "\t\nTotal";
  for (uint64_t F : Figures)
    Out += "\t" + std::to_string(F);
  return Out + "\t\n";
}
