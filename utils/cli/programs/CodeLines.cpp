//===- CodeLines.cpp - source lines of call stacks of addresses -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CodeLines.h.
//===----------------------------------------------------------------------===//
#include "CodeLines.h"
#include "ElfFile.h"
#include "Process.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/ecohmem/SourceSites.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

using namespace evenkeel;
using namespace evenkeel::cli;

static constexpr size_t MostAtOnce = 5000; // words of a command line

/// The offset in "path!1f2e"; nullopt: that is no such frame.
static std::optional<uint64_t> offsetOf(const std::string &Frame) {
  const size_t Mark = Frame.rfind('!');
  if (Mark == std::string::npos || Mark + 1 == Frame.size() ||
      Frame.size() - Mark > 17 ||
      Frame.find_first_not_of("0123456789abcdefABCDEF", Mark + 1) !=
          std::string::npos)
    return std::nullopt;
  return std::stoull(Frame.substr(Mark + 1), nullptr, 16);
}

/// The places of one symbolized address, innermost first.
static std::string placesOf(const nlohmann::json &One) {
  std::string Out;
  if (!One.is_object() || !One.contains("Symbol") || !One["Symbol"].is_array())
    return Out;
  for (const nlohmann::json &S : One["Symbol"]) {
    const std::string File = S.is_object() ? S.value("FileName", "") : "";
    const int64_t Line = S.is_object() ? S.value("Line", int64_t(0)) : 0;
    const int64_t Column = S.is_object() ? S.value("Column", int64_t(0)) : 0;
    if (!File.empty() && Line > 0)
      Out += (Out.empty() ? "" : " > ") + File + ":" + std::to_string(Line) +
             (Column > 0 ? ":" + std::to_string(Column) : "");
  }
  return Out;
}

static void symbolize(const std::string &Tool, const std::string &Path,
                      const std::vector<std::pair<std::string, uint64_t>> &Its,
                      ecohmem::FrameLines &Out) {
  for (size_t From = 0; From < Its.size(); From += MostAtOnce) {
    const size_t To = std::min(Its.size(), From + MostAtOnce);
    Job J;
    J.Argv = {Tool, "--output-style=JSON", "--obj=" + Path};
    for (size_t I = From; I < To; ++I) {
      char Text[24];
      std::snprintf(Text, sizeof Text, "0x%" PRIx64, Its[I].second);
      J.Argv.push_back(Text);
    }
    const JobResult Ran = runJob(J);
    const nlohmann::json All = nlohmann::json::parse(Ran.Out, nullptr, false);
    for (size_t I = From; All.is_array() && I < To && I - From < All.size();
         ++I)
      if (std::string Places = placesOf(All[I - From]); !Places.empty())
        Out[Its[I].first] = std::move(Places);
  }
}

ecohmem::FrameLines cli::linesOfCode(const std::vector<std::string> &Stacks) {
  std::map<std::string, std::set<std::string>> Frames; // by file
  for (const std::string &Stack : Stacks)
    for (const std::string &Frame : ecohmem::framesOf(Stack))
      if (offsetOf(Frame))
        Frames[Frame.substr(0, Frame.rfind('!'))].insert(Frame);
  ecohmem::FrameLines Out;
  if (Frames.empty())
    return Out;
  std::string Tool;
  try {
    Tool = llvmTool("llvm-symbolizer");
  } catch (const Failure &) {
    return Out; // such stacks are left out, with their reason
  }
  for (const auto &[Path, Its] : Frames) {
    const ElfFile File(Path);
    std::vector<std::pair<std::string, uint64_t>> Addresses;
    for (const std::string &Frame : Its)
      // The call is before its return address.
      if (std::optional<uint64_t> A = File.codeAddress(*offsetOf(Frame) - 1))
        Addresses.emplace_back(Frame, *A);
    symbolize(Tool, Path, Addresses, Out);
  }
  return Out;
}
