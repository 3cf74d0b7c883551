//===- TouchTable.cpp - touched memory by object --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TouchTable.h"
#include "cli/common/Cli.h"
#include "curves/Groups.h"
#include "format/ek_touches.h"
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::cli;
using nlohmann::json;

double TouchedObject::share() const {
  const double Of = TouchedKnown ? Touched : Written;
  return Resident > 0 ? Of / Resident : 0;
}

static std::vector<size_t> passesOf(const TouchRecord &R) {
  std::vector<size_t> Count(R.Processes.size());
  for (const TouchPass &P : R.Passes)
    ++Count[P.Process];
  return Count;
}

std::vector<TouchedObject> evenkeel::cli::touchedObjects(const TouchRecord &R,
                                                         bool Single) {
  std::vector<TouchedObject> Out;
  const TouchGroups Groups = groupsOf(R, Single);
  for (const TouchGroup &G : Groups.List)
    Out.push_back({G.Kind, G.Name, G.Stack, G.Objects, G.Bytes});
  const std::vector<size_t> Passes = passesOf(R);
  for (const TouchRow &X : R.Rows) {
    TouchedObject &O = Out[Groups.Of[X.Object]];
    const double Weight =
        double(R.PageBytes) / double(Passes[R.Passes[X.Pass].Process]);
    O.Resident += X.Resident * Weight;
    if (X.Touched != TouchRow::Unknown) {
      O.Touched += X.Touched * Weight;
      O.TouchedKnown = true;
    }
    if (X.Written != TouchRow::Unknown) {
      O.Written += X.Written * Weight;
      O.WrittenKnown = true;
    }
    if (X.Samples != TouchRow::Unknown)
      O.Samples = O.Samples.value_or(0) + X.Samples;
  }
  std::sort(Out.begin(), Out.end(), [](auto &A, auto &B) {
    const double TouchedA = std::max(A.Touched, A.Written),
                 TouchedB = std::max(B.Touched, B.Written);
    if (A.Samples != B.Samples)
      return A.Samples > B.Samples;
    return TouchedA != TouchedB ? TouchedA > TouchedB
                                : std::tie(A.Kind, A.Name, A.Stack) <
                                      std::tie(B.Kind, B.Name, B.Stack);
  });
  return Out;
}

std::string evenkeel::cli::passesText(const TouchRecord &R) {
  uint64_t Window = 0, Least = UINT64_MAX, Most = 0;
  for (const TouchPass &P : R.Passes) {
    Window += P.WindowNs;
    if (!P.ChunkBytes) // the first pass of a process finds memory uncut
      continue;
    Least = std::min(Least, P.ChunkBytes);
    Most = std::max(Most, P.ChunkBytes);
  }
  const auto N = static_cast<double>(R.Passes.size());
  std::string Text = R.Mechanism + ", " + std::to_string(R.Passes.size()) +
                     (R.Passes.size() == 1 ? " pass" : " passes");
  if (R.Passes.empty())
    return Text;
  Text += " of " + secondsText(double(Window) / N / 1e9);
  Text += ", one in " + secondsText(double(R.programNs()) / N / 1e9);
  if (R.Mechanism == DamonMechanism)
    return Text + "; what they cost is not told";
  Text += " of CPU time";
  if (Most)
    Text += ", chunks of " + bytesText(double(Least)) +
            (Least == Most ? "" : " to " + bytesText(double(Most)));
  return Text + "; overhead " +
         percentText(double(R.spentNs()) / double(R.programNs())) +
         " of CPU time (limit " + percentText(R.OverheadLimit) + ")";
}

std::string
evenkeel::cli::workingSetText(const std::vector<TouchedObject> &Objects) {
  double Resident = 0, Used = 0;
  for (const TouchedObject &O : Objects) {
    Resident += O.Resident;
    Used += std::max(O.Touched, O.Written);
  }
  return "working set " + bytesText(Used) + " of " + bytesText(Resident) +
         " resident: what a window sees used, on average";
}

std::string evenkeel::cli::touchTable(const std::vector<TouchedObject> &Objects,
                                      size_t Most) {
  const bool Reads = std::any_of(Objects.begin(), Objects.end(),
                                 [](auto &O) { return O.TouchedKnown; });
  const bool Writes = std::any_of(Objects.begin(), Objects.end(),
                                  [](auto &O) { return O.WrittenKnown; });
  std::vector<std::string> Header = {"object", "kind", ">objects", ">resident"};
  if (Reads)
    Header.push_back(">touched");
  if (Writes)
    Header.push_back(">written");
  Header.push_back(">share");
  uint64_t Samples = 0;
  for (const TouchedObject &O : Objects)
    Samples += O.Samples.value_or(0);
  if (Samples)
    Header.push_back(">of loads");
  Header.push_back("called from");
  Table T(Header);
  size_t Shown = 0;
  for (const TouchedObject &O : Objects) {
    if (Shown == Most || (O.Touched <= 0 && O.Written <= 0))
      break;
    ++Shown;
    std::vector<std::string> Row = {O.Name, O.Kind, std::to_string(O.Objects),
                                    bytesText(O.Resident)};
    if (Reads)
      Row.push_back(O.TouchedKnown ? bytesText(O.Touched) : "-");
    if (Writes)
      Row.push_back(O.WrittenKnown ? bytesText(O.Written) : "-");
    Row.push_back(percentText(O.share()));
    if (Samples)
      Row.push_back(
          percentText(double(O.Samples.value_or(0)) / double(Samples)));
    Row.push_back(O.Stack.size() > 1 ? O.Stack[1] : "");
    T.row(Row);
  }
  std::string Text = T.str();
  if (Shown < Objects.size())
    Text += std::to_string(Objects.size() - Shown) + " others: less each\n";
  return Text;
}

static const char *meaning(const std::string &Note) {
  if (Note == "table-full")
    return "large blocks are left out: more live than the table holds";
  if (Note == "not-named")
    return "large blocks are left out: they are made so often that their call "
           "stacks would exceed the overhead's limit";
  if (Note == "not-split")
    return "chunks stayed joined: the kernel did not split them";
  if (Note == "modules-left-out")
    return "frames and mappings have no name: more libraries than the table "
           "holds";
  if (Note == "samples-lost")
    return "loads were sampled and lost: too many for one window";
  return "chunks have no row: too many for one pass";
}

std::string evenkeel::cli::touchNotes(const TouchRecord &R) {
  std::map<std::string, uint64_t> Sums;
  for (const TouchProcess &P : R.Processes)
    for (const auto &[Note, Count] : P.Notes)
      Sums[Note] += Count;
  std::string Text;
  if (R.Mechanism == DamonMechanism)
    Text +=
        "DAMON does not tell what is resident: all pages of a range count\n";
  if (ek_touch_named(R.Mechanism.c_str()) & EK_TOUCH_BY_LOADS)
    Text +=
        "few loads are sampled: pages without a sample may be in use, too\n";
  for (const auto &[Note, Count] : Sums)
    Text += Note + ": " + std::to_string(Count) + " " + meaning(Note) + "\n";
  return Text;
}

json evenkeel::cli::touchesSummary(const TouchRecord &R,
                                   const std::vector<TouchedObject> &Objects) {
  json Rows = json::array();
  for (const TouchedObject &O : Objects)
    Rows.push_back(
        {{"name", O.Name},
         {"kind", O.Kind},
         {"stack", O.Stack},
         {"objects", O.Objects},
         {"bytes", O.Bytes},
         {"resident_bytes", O.Resident},
         {"touched_bytes", O.TouchedKnown ? json(O.Touched) : json(nullptr)},
         {"written_bytes", O.WrittenKnown ? json(O.Written) : json(nullptr)},
         {"samples", O.Samples ? json(*O.Samples) : json(nullptr)}});
  const auto Program = double(R.programNs());
  return {
      {"about", TouchesAre},
      {"command", R.Command},
      {"mechanism", R.Mechanism},
      {"processes", R.Processes.size()},
      {"passes", R.Passes.size()},
      {"program_s", Program / 1e9},
      {"overhead", R.Mechanism == DamonMechanism
                       ? json(nullptr)
                       : json(Program > 0 ? double(R.spentNs()) / Program : 0)},
      {"overhead_limit", R.OverheadLimit},
      {"objects", Rows}};
}
