//===- Report.cpp - inventory and summary ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Report.h.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "text/Reasons.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace evenkeel {
namespace json = llvm::json;
using Group = Finding::Group;
using State = Finding::State;

static bool inInventory(const Finding &F) {
  return F.Listed && (F.Class == Group::Site || F.Class == Group::Region ||
                      F.Class == Group::Sync);
}

/// The reason why the text is unchanged; "already" for annotated code.
static std::string reasonOf(const Finding &F) {
  return F.What == State::Already ? "already" : F.Reason;
}

std::string inventoryText(const Merged &M) {
  std::string Out;
  for (const Finding &F : M.Findings) {
    if (!inInventory(F))
      continue;
    Out += F.Key.Kind + " " + F.at() + " " + F.Key.Function + " " +
           idToString(F.Id) + " " +
           (F.Class == Group::Sync ? reachName(F.Context) : F.Form);
    std::string Reason = reasonOf(F);
    if (!Reason.empty())
      Out += " # " + Reason;
    Out += '\n';
  }
  return Out;
}

static const char *stateName(State S) {
  switch (S) {
  case State::Rewritten:
    return "rewritten";
  case State::Already:
    return "already";
  case State::Left:
    return "left";
  case State::Skipped:
    return "skipped";
  }
  return "";
}

static void writeFinding(json::OStream &J, const Finding &F, bool WithState) {
  J.object([&] {
    J.attribute("kind", F.Key.Kind);
    J.attribute("at", F.at());
    J.attribute("function", F.Key.Function);
    if (F.Id)
      J.attribute("id", idToString(F.Id));
    J.attribute("form", F.Form);
    if (F.Context != Reach::Unknown)
      J.attribute("context", reachName(F.Context));
    if (F.Pin >= 0)
      J.attribute("pinned", F.Pin / 100.0);
    if (F.SizeHint)
      J.attribute("size_hint", static_cast<int64_t>(F.SizeHint));
    if (!F.Name.empty())
      J.attribute("name", F.Name);
    if (F.isRelaxed())
      J.attribute("relaxed", static_cast<int64_t>(F.Relaxed->Bound));
    if (!F.Memory.empty())
      J.attribute("memory", F.Memory);
    if (WithState)
      J.attribute("state", stateName(F.What));
    std::string Reason = reasonOf(F);
    if (!Reason.empty())
      J.attribute("reason", Reason);
  });
}

std::string inventoryJson(const Merged &M) {
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("schema", "evenkeel.inventory/1");
    J.attributeArray("entries", [&] {
      for (const Finding &F : M.Findings)
        if (inInventory(F))
          writeFinding(J, F, false);
    });
  });
  OS << '\n';
  return Out;
}

/// A description of what is at a skipped place.
static std::string what(const Finding &F) {
  return F.Reason == "container"
             ? "no call of a library that could be annotated"
             : F.Form;
}

/// Whether \p F is the part of the program outside parallel regions and tasks:
/// a region without a coordinate of its own.
static bool isSerialPart(const Finding &F) {
  return F.Class == Group::Region && F.Key.Column == 0;
}

namespace {
struct Tally {
  unsigned Total = 0, Rewritten = 0, Already = 0, Left = 0, Skipped = 0;
  std::map<std::string, unsigned> Reasons; // of skipped findings
  std::map<std::string, std::vector<const Finding *>> Places; // by reason

  void add(const Finding &F) {
    ++Total;
    // A region whose data is acquired may still not be timed.
    const bool Untimed = F.Class == Group::Region && !F.Reason.empty();
    Rewritten += F.What == State::Rewritten && !Untimed;
    Already += F.What == State::Already && !Untimed;
    Left += F.What == State::Left || (Untimed && F.What != State::Skipped);
    if (F.Class == Group::Region && F.What != State::Skipped && Untimed)
      ++Reasons[F.Reason];
    if (F.What == State::Skipped) {
      ++Skipped;
      ++Reasons[F.Reason];
      Places[F.Reason].push_back(&F);
    }
  }
  /// The skipped places, one line each, the first few for each reason.
  std::string places() const {
    const size_t Most = 10;
    std::string Out;
    for (const auto &[Reason, Fs] : Places) {
      for (size_t I = 0; I < Fs.size() && I < Most; ++I)
        Out += "  " + Reason + ": " + Fs[I]->at() + " (" + what(*Fs[I]) + ")\n";
      if (Fs.size() > Most)
        Out += "  " + Reason + ": and " + std::to_string(Fs.size() - Most) +
               " more; --json lists all\n";
    }
    return Out;
  }
  std::string reasons() const {
    std::string Out;
    for (const auto &[Reason, N] : Reasons)
      Out += (Out.empty() ? " (" : ", ") + std::to_string(N) + " " + Reason;
    return Out.empty() ? "" : Out + ")";
  }
  void write(json::OStream &J) const {
    J.attribute("total", Total);
    J.attribute("rewritten", Rewritten);
    J.attribute("already", Already);
    J.attribute("left", Left);
    J.attribute("skipped", Skipped);
    J.attributeObject("reasons", [&] {
      for (const auto &[Reason, N] : Reasons)
        J.attribute(Reason, N);
    });
  }
};

struct Tallies {
  Tally Sites, Frees, Syncs, Regions, Calls;
  unsigned Values = 0, HandOver = 0; // values, and regions with any

  explicit Tallies(const Merged &M) {
    for (const Finding &F : M.Findings) {
      Values += F.Values;
      HandOver += F.Values > 0;
      if (F.Class == Group::Site || F.Class == Group::Reference)
        Sites.add(F);
      else if (F.Class == Group::Free)
        Frees.add(F);
      else if (F.Class == Group::Sync)
        Syncs.add(F);
      else if (F.Class == Group::Call)
        Calls.add(F);
      else if (F.Class == Group::Region && !isSerialPart(F) &&
               F.Form != "target")
        Regions.add(F);
    }
  }
};
} // namespace

static std::string number(unsigned N, const char *What) {
  return std::to_string(N) + " " + What + (N == 1 ? "" : "s");
}

/// Tasks that got a priority, and the places of those that could not get one;
/// "" if there are no tasks with levels.
static std::string prioritiesText(const Merged &M) {
  unsigned Given = 0, Most = 0, Without = 0;
  std::string Places;
  for (const Finding &F : M.Findings) {
    Given += F.GetsPriority;
    Most = std::max(Most, F.GetsPriority ? F.Level : 0);
    if (!F.Level || F.GetsPriority)
      continue;
    ++Without;
    Places += "  no priority: " + F.at() + " (" + F.Form + ")\n";
  }
  if (!Given && !Without)
    return "";
  return number(Given, "task") +
         (Given == 1 ? " has a priority" : " have priorities") +
         (Given ? " up to " + std::to_string(Most) +
                      "; OMP_MAX_TASK_PRIORITY=" + std::to_string(Most) +
                      " puts them into force"
                : "") +
         "\n" + Places;
}

/// Tasks that acquire data, those that do not, and clauses that name less than
/// their tasks access; "" if no task was asked.
static std::string acquiredText(const Merged &M) {
  unsigned Tasks = 0, Ranges = 0, Without = 0, Short = 0;
  std::map<std::string, unsigned> Why, Shortfalls;
  std::string Places;
  for (const Finding &F : M.Findings) {
    if (!F.Data.Asked)
      continue;
    Tasks += F.Data.Ranges > 0;
    Ranges += F.Data.Ranges;
    for (const ClauseShortfall &S : F.Data.Shortfalls) {
      ++Short;
      ++Shortfalls[S.Reason];
    }
    if (F.Data.Reason.empty())
      continue;
    Without += F.Data.Ranges == 0;
    ++Why[F.Data.Reason];
    Places += std::string("  ") +
              (F.Data.Ranges ? "not all acquired: " : "not acquired: ") +
              F.at() + " (" + F.Form + "): " + F.Data.Reason + "\n";
  }
  if (!Tasks && !Without)
    return "";
  std::string Out = number(Tasks, "task") +
                    (Tasks == 1 ? " acquires " : " acquire ") +
                    number(Ranges, "range") + " of data";
  if (Without)
    Out += ", " + std::to_string(Without) + (Without == 1 ? " does" : " do") +
           " not";
  Out += "\n" + Places;
  if (Short) {
    Out += number(Short, "place") + " where a task accesses more than its "
                                    "clauses name:";
    for (const auto &[Name, N] : Shortfalls)
      Out += " " + std::to_string(N) + " " + Name + ",";
    Out.back() = '\n';
  }
  for (const std::map<std::string, unsigned> &Names : {Why, Shortfalls})
    for (const auto &[Name, N] : Names)
      Out += Name + ": " + meaningOf(Name, {Reason::Clause}) + "\n";
  return Out;
}

/// What the program has to be linked with; "" if nothing is relaxed.
static std::string relaxedText(const Merged &M) {
  unsigned Relaxed = 0;
  for (const Finding &F : M.Findings)
    Relaxed += F.isRelaxed();
  return Relaxed ? number(Relaxed, "sum") +
                       " relaxed: link with -levenkeel-relaxed\n"
                 : "";
}

/// The meanings of the reasons, one line each.
static std::string meaningsText(const Tallies &T) {
  std::map<std::string, std::string> Meanings;
  for (const Tally *X : {&T.Sites, &T.Frees, &T.Syncs, &T.Regions, &T.Calls})
    for (const auto &Entry : X->Reasons)
      Meanings[Entry.first] =
          meaningOf(Entry.first, {Reason::Rewrite, Reason::Leave});
  std::string Out;
  for (const auto &[Name, Meaning] : Meanings)
    Out += Name + ": " + Meaning + "\n";
  return Out;
}

static unsigned placesOutside(const Merged &M) {
  unsigned Places = 0;
  for (const auto &[File, N] : M.OutsideRoot)
    Places += N;
  return Places;
}

std::string summaryText(const Merged &M) {
  Tallies T(M);
  auto Already = [](const Tally &X) {
    return X.Already ? ", " + std::to_string(X.Already) + " already annotated"
                     : std::string();
  };
  std::string Out =
      number(T.Sites.Total, "site") + ": " + std::to_string(T.Sites.Rewritten) +
      " rewritten" + Already(T.Sites) + ", " + std::to_string(T.Sites.Left) +
      " left to the run time, " + std::to_string(T.Sites.Skipped) + " skipped" +
      T.Sites.reasons() + "\n" + T.Sites.places();
  Out += number(T.Syncs.Total, "sync point") + ": " +
         std::to_string(T.Syncs.Rewritten) + " hooked" + Already(T.Syncs) +
         ", " + std::to_string(T.Syncs.Skipped) + " skipped" +
         T.Syncs.reasons() + "\n" + T.Syncs.places();
  Out += number(T.Regions.Total, "region") + ": " +
         std::to_string(T.Regions.Rewritten) + " timed" + Already(T.Regions) +
         ", " + std::to_string(T.Regions.Left) + " left to the run time" +
         T.Regions.reasons() + "\n";
  Out += relaxedText(M);
  Out += prioritiesText(M);
  Out += acquiredText(M);
  if (T.Values)
    Out += number(T.Values, "value") + " handed over before " +
           number(T.HandOver, "region") + "\n";
  Out += number(T.Frees.Total, "call") +
         " of free: " + std::to_string(T.Frees.Rewritten) + " rewritten" +
         Already(T.Frees) + ", " + std::to_string(T.Frees.Skipped) +
         " skipped" + T.Frees.reasons() + "\n" + T.Frees.places();
  if (T.Calls.Total)
    Out += number(T.Calls.Total, "call") +
           " of wrappers: " + std::to_string(T.Calls.Rewritten) + " annotated" +
           Already(T.Calls) + ", " + std::to_string(T.Calls.Skipped) +
           " skipped" + T.Calls.reasons() + "\n" + T.Calls.places();
  Out += meaningsText(T);
  if (!M.OutsideRoot.empty())
    Out += number(placesOutside(M), "place") + " in '" +
           M.OutsideRoot.begin()->first + "'" +
           (M.OutsideRoot.size() > 1
                ? " and " + number(M.OutsideRoot.size() - 1, "other file")
                : "") +
           " skipped (outside-root); to include them, set EVENKEEL_ROOT to "
           "a folder that holds the sources and these files\n";
  return Out;
}

static void writeData(json::OStream &J, const Finding &F) {
  J.object([&] {
    J.attribute("at", F.at());
    J.attribute("form", F.Form);
    J.attribute("ranges", F.Data.Ranges);
    if (!F.Data.Reason.empty())
      J.attribute("reason", F.Data.Reason);
    J.attributeArray("shortfalls", [&] {
      for (const ClauseShortfall &S : F.Data.Shortfalls)
        J.object([&] {
          J.attribute("at", F.Key.Path + ":" + std::to_string(S.Line) + ":" +
                                std::to_string(S.Column));
          J.attribute("reason", S.Reason);
          J.attribute("text", S.Text);
        });
    });
  });
}

std::string summaryJson(const Merged &M,
                        const std::vector<RefusedUnit> &Refused,
                        const std::string *Diff) {
  Tallies T(M);
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("schema", "evenkeel.rewrite/1");
    J.attributeObject("sites", [&] { T.Sites.write(J); });
    J.attributeObject("syncs", [&] { T.Syncs.write(J); });
    J.attributeObject("regions", [&] { T.Regions.write(J); });
    J.attributeObject("frees", [&] { T.Frees.write(J); });
    J.attributeObject("wrapper_calls", [&] { T.Calls.write(J); });
    J.attribute("values", T.Values);
    J.attributeArray("priorities", [&] {
      for (const Finding &F : M.Findings)
        if (F.Level)
          J.object([&] {
            J.attribute("at", F.at());
            J.attribute("priority", F.GetsPriority ? F.Level : 0);
          });
    });
    J.attributeArray("task_data", [&] {
      for (const Finding &F : M.Findings)
        if (F.Data.Asked)
          writeData(J, F);
    });
    J.attribute("outside_root", placesOutside(M));
    J.attributeArray("outside_files", [&] {
      for (const auto &[File, Places] : M.OutsideRoot)
        J.value(File);
    });
    J.attributeArray("findings", [&] {
      for (const Finding &F : M.Findings)
        if (F.Class != Group::Region)
          writeFinding(J, F, true);
    });
    J.attributeArray("refused", [&] {
      for (const RefusedUnit &U : Refused)
        J.object([&] {
          J.attribute("unit", U.Path);
          J.attribute("error", U.Error);
        });
    });
    if (Diff)
      J.attribute("diff", *Diff);
  });
  OS << '\n';
  return Out;
}

} // namespace evenkeel
