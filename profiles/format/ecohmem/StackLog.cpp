//===- StackLog.cpp - whole call stacks that a run showed -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StackLog.h.
//===----------------------------------------------------------------------===//
#include "StackLog.h"
#include "Numbers.h"
#include "format/File.h"
#include "format/Identity.h"
#include <algorithm>
#include <cmath>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::ecohmem;

/// Shares below and above are none and all of an object.
static constexpr double Nothing = 0.001, All = 0.999;
static const std::string Head = "# evenkeel call stacks";

/// Whether each frame of \p Stack is /FILE!HEXADECIMAL, printable.
static bool hasOffsets(const std::string &Stack) {
  if (oneLine(Stack) != Stack)
    return false;
  for (size_t From = 0;;) {
    size_t To = Stack.find(" > ", From);
    std::string Frame =
        Stack.substr(From, To == std::string::npos ? To : To - From);
    size_t Mark = Frame.rfind('!');
    if (Mark == std::string::npos || Frame[0] != '/' ||
        Mark + 1 == Frame.size() || Frame.size() - Mark > 17 ||
        Frame.find_first_not_of("0123456789abcdef", Mark + 1) !=
            std::string::npos)
      return false;
    if (To == std::string::npos)
      return true;
    From = To + 3;
  }
}

static bool readLine(const std::string &Line, LoggedStack &Out) {
  if (Line.size() < 36 || Line[16] != ' ' || Line[33] != ' ')
    return false;
  const size_t End = Line.find(' ', 34);
  if (End == std::string::npos)
    return false;
  Out.Site = idFromString(Line.substr(0, 16));
  const std::string Context = Line.substr(17, 16);
  Out.Context = idFromString(Context);
  const std::optional<int64_t> Bytes = readInteger(Line.substr(34, End - 34));
  Out.Bytes = uint64_t(Bytes.value_or(0));
  Out.Stack = Line.substr(End + 1);
  return Out.Site && Bytes && *Bytes >= 0 &&
         (Out.Context || Context == "0000000000000000") &&
         hasOffsets(Out.Stack);
}

Expected<std::vector<LoggedStack>>
ecohmem::parseStackLog(const std::string &Text, const std::string &Path) {
  std::vector<LoggedStack> Out;
  size_t Number = 0;
  for (size_t From = 0; From < Text.size();) {
    const size_t To = Text.find('\n', From);
    const std::string Line =
        Text.substr(From, To == std::string::npos ? To : To - From);
    ++Number;
    if (Number == 1 && Line != Head)
      break;
    // Processes that begin at once may both write the first line.
    LoggedStack S;
    if (Line != Head) {
      if (To == std::string::npos || !readLine(Line, S))
        return Error{oneLine(Path) + ": line " + std::to_string(Number) +
                     " is not a call stack; is the file complete?"};
      Out.push_back(std::move(S));
    }
    From = To == std::string::npos ? Text.size() : To + 1;
  }
  if (Out.empty())
    return Error{oneLine(Path) +
                 ": no call stacks; log them with EVENKEEL_STACK_LOG=FILE "
                 "evenkeel run --stacks stacks.json -- PROGRAM"};
  auto Key = [](const LoggedStack &S) {
    return std::tie(S.Stack, S.Site, S.Context, S.Bytes);
  };
  std::sort(Out.begin(), Out.end(),
            [&](const LoggedStack &A, const LoggedStack &B) {
              return Key(A) < Key(B);
            });
  Out.erase(std::unique(Out.begin(), Out.end(),
                        [](const LoggedStack &A, const LoggedStack &B) {
                          return A.Stack == B.Stack;
                        }),
            Out.end());
  return Out;
}

Expected<std::vector<LoggedStack>>
ecohmem::readStackLog(const std::string &Path) {
  Expected<std::string> Text = readWholeFile(Path);
  if (!Text)
    return Text.takeError();
  return parseStackLog(*Text, Path);
}

MaybeError ecohmem::checkAllocator(const std::string &Name) {
  if (Name == "posix" || Name == "memkind/pmem" || Name == "memkind/hbwmalloc")
    return std::nullopt;
  return Error{"FlexMalloc has no allocator '" + oneLine(Name) +
               "'; it has posix, memkind/hbwmalloc and memkind/pmem"};
}

/// The share of fast bytes in the objects of \p S's site and context, and
/// whether the plan has any.
static std::optional<double> shareOf(const Plan &P, const LoggedStack &S) {
  double Fast = 0, Whole = 0;
  for (bool Contexts : {true, false}) {
    for (const PlanObject &O : P.Objects) {
      if (O.Site != S.Site ||
          (Contexts ? O.Context != S.Context : O.Context.has_value()))
        continue;
      const double Weight = double(O.PredictedBytes ? O.PredictedBytes : 1) *
                            double(std::max(1u, O.Alike));
      Fast += O.Share * Weight;
      Whole += Weight;
    }
    if (Whole > 0)
      return Fast / Whole;
  }
  return std::nullopt;
}

static std::string definition(const std::string &Allocator, uint64_t Bytes,
                              const std::vector<std::string> &Folders) {
  std::string Out = "# Memory configuration for allocator " + Allocator + "\n";
  if (Allocator == "memkind/pmem") {
    std::string Line;
    for (const std::string &F : Folders)
      Line += (Line.empty() ? "@ " : " @ ") + F;
    return Out + Line + "\n";
  }
  // FlexMalloc reads whole numbers only; locations say what goes there.
  const uint64_t MBytes = (Bytes + (1 << 20) - 1) >> 20;
  return Out + "Size " + std::to_string(MBytes) + " MBytes\n";
}

Expected<FlexMallocFiles>
ecohmem::filesOf(const Plan &P, const std::vector<LoggedStack> &Stacks,
                 const Allocators &A) {
  FlexMallocFiles Out;
  struct Placed {
    const LoggedStack *Stack;
    double Share;
    bool IsFast = false;
  };
  std::vector<Placed> Known;
  for (const LoggedStack &S : Stacks) {
    if (S.Stack.find(':') != std::string::npos) {
      ++Out.Left["colon-in-path"];
      continue;
    }
    const std::optional<double> Share = shareOf(P, S);
    if (Share)
      Known.push_back({&S, *Share});
    else
      ++Out.Left["site-not-in-plan"];
  }
  // By share, so that parts are rounded up only into room that is left.
  std::vector<Placed *> ByShare;
  for (Placed &X : Known)
    ByShare.push_back(&X);
  std::sort(ByShare.begin(), ByShare.end(),
            [](const Placed *A, const Placed *B) {
              return A->Share != B->Share ? A->Share > B->Share : A < B;
            });
  double Room = double(P.FastBytes);
  for (Placed *X : ByShare) {
    const bool IsPart = X->Share > Nothing && X->Share < All;
    X->IsFast = X->Share >= All || (IsPart && double(X->Stack->Bytes) <= Room);
    Room -= X->IsFast ? double(X->Stack->Bytes) : 0;
    if (IsPart)
      ++Out.Left["share-rounded"];
  }
  std::string Fast, Slow;
  for (const Placed &X : Known) {
    (X.IsFast ? Fast : Slow) +=
        X.Stack->Stack + " @ " + (X.IsFast ? A.Fast : A.Slow) + "\n";
    ++(X.IsFast ? Out.Fast : Out.Slow);
  }
  if (!Out.Fast && !Out.Slow)
    return Error{"no call stack of the log belongs to a site of the plan; are "
                 "they of one program?"};
  if (!P.Changes.empty())
    Out.Left["moves-not-made"] = P.Changes.size();
  Out.Locations = "# Memory configuration for fast with size " +
                  std::to_string(P.FastBytes) + " bytes\n" + Fast +
                  "# Memory configuration for slow with size 0 bytes\n" + Slow;
  Out.Definitions = definition(A.Fast, P.FastBytes, {}) +
                    definition(A.Slow, uint64_t(1) << 50, A.SlowFolders);
  return Out;
}
