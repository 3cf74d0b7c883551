//===- MemProfText.cpp - MemProf's profile as llvm-profdata shows it ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemProfText.h. The text is YAML in one fixed form: a line is a key with a
// value, or a dash that begins the next item of a list.
//===----------------------------------------------------------------------===//
#include "MemProfText.h"
#include "format/Utf8.h"
#include "format/ecohmem/Numbers.h"
#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::memprof;

namespace {

/// A line without its indentation.
struct Line {
  std::string Key, Value;
};

class Reader {
  const std::string &Path;
  std::vector<Blocks> Out;
  enum { Head, Record, Sites, Stack, Figures } In = Head;
  std::string Guid, First; // of the record, of the stack's innermost function
  Blocks Now;
  size_t Number = 0;         // of the line
  size_t Seen = 0, Told = 0; // figures of call stacks; as the summary says

  Error wrong(const std::string &What) const {
    return {"'" + Path + "', line " + std::to_string(Number) + ": " + What};
  }
  MaybeError figure(const std::string &Key, const std::string &Value);
  MaybeError line(const Line &L);
  void finish();

public:
  explicit Reader(const std::string &Path) : Path(Path) {}
  Expected<std::vector<Blocks>> read(const std::string &Text);
};

} // namespace

std::string memprof::frameText(const Frame &F) {
  return F.Function + "+" + std::to_string(F.LineOffset) + ":" +
         std::to_string(F.Column);
}

std::string memprof::stackText(const std::vector<Frame> &Stack) {
  std::string Out;
  for (const Frame &F : Stack)
    Out += (Out.empty() ? "" : " > ") + frameText(F);
  return Out;
}

static Line lineOf(const std::string &Text) {
  const size_t From = Text.find_first_not_of(' ');
  if (From == std::string::npos)
    return {};
  size_t To = Text.find_last_not_of(" \r") + 1;
  const size_t Colon = Text.find(": ", From);
  if (Colon == std::string::npos || Colon >= To)
    return {Text.substr(From, To - From), ""};
  return {Text.substr(From, Colon - From),
          Text.substr(Colon + 2, To - Colon - 2)};
}

/// Ends the stack that was read, if there is one.
void Reader::finish() {
  if (In == Figures && First == Guid)
    Out.push_back(std::move(Now));
  Now = {};
  First.clear();
}

MaybeError Reader::figure(const std::string &Key, const std::string &Value) {
  static const std::map<std::string, uint64_t Blocks::*> Known = {
      {"AllocCount", &Blocks::Times},
      {"TotalAccessCount", &Blocks::Accesses},
      {"TotalSize", &Blocks::Bytes},
      {"MaxSize", &Blocks::MostBytes},
      {"AllocTimestamp", &Blocks::FirstMs},
      {"DeallocTimestamp", &Blocks::LastMs},
      {"TotalLifetime", &Blocks::LifetimeMs}};
  const auto It = Known.find(Key);
  if (It == Known.end())
    return std::nullopt;
  const std::optional<int64_t> N = ecohmem::readInteger(Value);
  if (!N || *N < 0 || *N > int64_t(1) << 52)
    return wrong(Key + " is no number from 0 to 2^52");
  Now.*It->second = uint64_t(*N);
  return std::nullopt;
}

MaybeError Reader::line(const Line &L) {
  if (L.Key == "FunctionGUID") {
    finish();
    In = Record;
    Guid = L.Value;
  } else if (L.Key == "Records:" || L.Key == "CallSites:") {
    finish();
    In = Record;
  } else if (L.Key == "Callstack:") {
    finish();
    In = Stack;
  } else if (L.Key == "MemInfoBlock:") {
    if (In != Stack || Now.Stack.empty())
      return wrong("figures without a call stack");
    In = Figures;
    ++Seen;
  } else if (In == Head && L.Key == "NumMibInfo") {
    const std::optional<int64_t> N = ecohmem::readInteger(L.Value);
    if (!N || *N < 0)
      return wrong(L.Key + " is no number");
    Told = size_t(*N);
  } else if (In == Figures) {
    return figure(L.Key, L.Value);
  } else if (In == Stack) {
    const bool Named = L.Key == "SymbolName";
    if (L.Key == "Function") {
      if (Now.Stack.empty())
        First = L.Value;
      Now.Stack.emplace_back().Function = L.Value;
    } else if (Now.Stack.empty() && L.Key != "-") {
      return wrong("a frame without its function");
    } else if (Named) {
      Now.Stack.back().Function = L.Value;
    } else if (L.Key == "LineOffset" || L.Key == "Column") {
      const std::optional<int64_t> N = ecohmem::readInteger(L.Value);
      if (!N || *N < 0 || *N > INT32_MAX)
        return wrong(L.Key + " is no number");
      Frame &F = Now.Stack.back();
      (L.Key == "Column" ? F.Column : F.LineOffset) =
          static_cast<unsigned long>(*N);
    }
  }
  return std::nullopt;
}

Expected<std::vector<Blocks>> Reader::read(const std::string &Text) {
  std::istringstream In(Text);
  std::string Raw;
  bool Whole = false;
  while (std::getline(In, Raw)) {
    ++Number;
    if (!isUtf8(Raw))
      return wrong("has bytes that are no text (UTF-8)");
    const Line L = lineOf(Raw);
    if (Number == 1 && L.Key != "MemprofProfile:")
      return wrong("no profile of MemProf as llvm-profdata shows it");
    Whole |= L.Key == "Records:";
    if (MaybeError E = line(L))
      return *E;
  }
  if (!Whole || this->In == Stack)
    return wrong("the file ends before the profile does");
  if (Seen < Told)
    return wrong("the file ends before the profile does: it has " +
                 std::to_string(Seen) + " call stacks of " +
                 std::to_string(Told));
  finish();
  // Several instantiations of one template, or one stack in several records.
  const auto Order = [](const Blocks &A, const Blocks &B) {
    return std::tuple(stackText(A.Stack), A.FirstMs, A.Bytes, A.Accesses) <
           std::tuple(stackText(B.Stack), B.FirstMs, B.Bytes, B.Accesses);
  };
  std::sort(Out.begin(), Out.end(), Order);
  return std::move(Out);
}

Expected<std::vector<Blocks>> memprof::parseMemProf(const std::string &Text,
                                                    const std::string &Path) {
  return Reader(Path).read(Text);
}
