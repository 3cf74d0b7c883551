//===- Findings.h - findings of the rewriter, with their edits --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values that the AST walk (Collect) passes to the report, the
// inventory and the writers: one Finding per site, region, sync point or freed
// pointer, with its id, its state, and its text edits.
// Not here: Clang. This is plain data with absolute file offsets, so units can
// be merged after their ASTs are gone.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_FINDINGS_H
#define EVENKEEL_REWRITER_FINDINGS_H

#include "BlockFlow.h"
#include "CountedLoops.h"
#include "LinkedWrappers.h"
#include "RelaxedSum.h"
#include "format/Identity.h"
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace evenkeel {

/// A line end in an edit's text that is omitted if the text is already at the
/// start of a line.
inline constexpr char FreshLine = '\2';
/// Which threads reach a sync point: one, or all of a team. Either: this
/// differs between inclusions of the same text. Unknown: not a sync point, or
/// not decided.
enum class Reach { Unknown, Serial, Team, Either };

/// The word for \p R in inventories and notes; "" for Unknown.
inline const char *reachName(Reach R) {
  switch (R) {
  case Reach::Serial:
    return "serial";
  case Reach::Team:
    return "team";
  case Reach::Either:
    return "either";
  case Reach::Unknown:
    break;
  }
  return "";
}

/// Placeholder in a hook's text for Finding::Context, which may differ between
/// inclusions of the same text.
inline constexpr char HookContext = '\3';

/// Placeholder in the text of an edit for Finding::Tag, where the source has
/// names instead of ids.
inline constexpr char NamePlace = '\4';

/// A value that is handed over before a region.
struct HandedVariable {
  std::string Text; // n, s.rows, this->n
  uint64_t Id = 0;  // of its symbol
};

/// A clause of a task that names less than the task accesses.
struct ClauseShortfall {
  unsigned Line = 0, Column = 0;
  std::string Reason, Text;
};

/// The data of a task whose data is to be acquired.
struct TaskData {
  bool Asked = false;  // it is such a task, or a target region
  unsigned Ranges = 0; // acquired
  std::string Reason;  // why nothing, or not all, is acquired
  std::vector<ClauseShortfall> Shortfalls;
};

/// Replaces Length bytes at Offset by Text; Length 0 inserts. Edits at one
/// offset are applied by rising Rank, insertions before a replacement.
struct TextEdit {
  unsigned Offset = 0, Length = 0;
  int Rank = 0;
  std::string Text;

  bool operator<(const TextEdit &O) const {
    if (Offset != O.Offset)
      return Offset < O.Offset;
    if ((Length == 0) != (O.Length == 0))
      return Length == 0;
    if (Rank != O.Rank)
      return Rank < O.Rank;
    if (Length != O.Length)
      return Length < O.Length;
    return Text < O.Text;
  }
  bool operator==(const TextEdit &O) const {
    return Offset == O.Offset && Length == O.Length && Rank == O.Rank &&
           Text == O.Text;
  }
};

/// One entity in the source that a rule, the inventory or the report handles.
struct Finding {
  /// Call: a call of an allocation wrapper.
  enum class Group { Site, Free, Reference, Region, Sync, Call };
  /// Rewritten: has edits. Already: the source is annotated there. Left: no
  /// rule edits this form; the runtime handles it. Skipped: a rule applies, but
  /// cannot edit it because of Reason.
  enum class State { Rewritten, Already, Left, Skipped };

  Group Class = Group::Site;
  EntityKey Key;
  uint64_t Id = 0;
  unsigned Line = 0; // as #line says
  std::string Form;  // malloc, new[], parallel, task, barrier, ...
  Reach Context = Reach::Unknown;
  State What = State::Rewritten;
  std::string Reason; // a row of Reasons.def; empty unless skipped or left
  /// False if the IR has no site for this, or names it differently (calls of
  /// the program's own allocators; code that runs in every constructor or
  /// caller). It is reported, but not in the inventory.
  bool Listed = true;
  bool FromHeap = false; // C allocation family (not operator new)
  bool Outside =
      false; // static storage, mappings or MPI memory: not on the heap
  /// From annotations: the percentage of a pin (-1: none), the expected size in
  /// bytes (0: none), the name of a region or of the phase that ends here.
  int Pin = -1;
  uint64_t SizeHint = 0;
  std::string Name;
  /// Of a call of MPI_Allreduce that an annotation relaxes; and why it cannot
  /// be relaxed (empty: it can).
  std::optional<RelaxedSum> Relaxed;
  std::string NotRelaxed;
  std::string WaitsAround; // a call that waits in an outer loop
  unsigned Values = 0;     // of variables that are handed over before it
  /// If tasks get priorities: the level of a task that has dependences and no
  /// priority of its own (TaskLevels.h), and whether it can get it.
  unsigned Level = 0;
  bool GetsPriority = false;
  TaskData Data;
  /// Only in sources that are kept: the variable that gets the data; the name
  /// of the place in the source (EK_SITE(Tag)); the number that the source
  /// gives as its id; and, before a parallel region, all that can be handed
  /// over.
  std::string Variable, Tag;
  std::string Memory; // the kind that a library's call asks for, in words
  uint64_t Literal = 0;
  std::vector<HandedVariable> Handed;
  std::string File;    // absolute; where the edits apply
  unsigned Offset = 0; // of the place in its file
  unsigned Anchor = 0; // offset of the annotated text in that file
  std::vector<TextEdit> Edits;

  bool isRelaxed() const {
    return Relaxed && NotRelaxed.empty() && What == State::Rewritten;
  }
  std::string at() const {
    return Key.Path + ":" + std::to_string(Line) + ":" +
           std::to_string(Key.Column);
  }
  /// Calls of free have no id, and #line or a macro may put two of them at one
  /// place.
  bool sameCall(const Finding &O) const {
    return Offset == O.Offset &&
           (Edits.empty() || O.Edits.empty() || Edits == O.Edits);
  }
  /// Whether both edit the same piece of text.
  bool touches(const Finding &O) const {
    for (const TextEdit &A : Edits)
      for (const TextEdit &B : O.Edits)
        if (A.Offset == B.Offset ||
            (A.Offset < B.Offset + B.Length && B.Offset < A.Offset + A.Length))
          return true;
    return false;
  }
  bool sameEntity(const Finding &O) const {
    return Class == O.Class && Id == O.Id && Line == O.Line &&
           Key.Kind == O.Key.Kind && Key.Path == O.Key.Path &&
           Key.Function == O.Key.Function && Key.Column == O.Key.Column &&
           Key.Ordinal == O.Key.Ordinal;
  }
  /// Whether two units found the same thing in a shared header. Containers have
  /// no ordinal, so several of them in one macro use may share an id.
  bool sameAs(const Finding &O) const {
    if (!sameEntity(O))
      return false;
    if (Class == Group::Free)
      return sameCall(O);
    if (Edits.empty() && O.Edits.empty())
      return Form == O.Form && (!Anchor || !O.Anchor || Anchor == O.Anchor);
    return Form == O.Form && (Edits.empty() || O.Edits.empty() || touches(O));
  }
};

/// The macro that takes the names of such places, in sources that are kept.
inline const char *nameMacro(Finding::Group Class) {
  switch (Class) {
  case Finding::Group::Region:
    return "EK_REGION";
  case Finding::Group::Sync:
    return "EK_SYNC";
  case Finding::Group::Call:
    return "EK_CALL";
  default:
    return "EK_SITE";
  }
}

/// The beginning of a macro's use with a place's name and an operand.
inline std::string keptAround(const char *Macro) {
  return std::string(Macro) + "(" + NamePlace + ", ";
}

/// Where the header is included in an edited file: before the first
/// declaration, after the leading directives. Marker is the #line directive
/// that preserves the line number of the text at Offset.
struct IncludePoint {
  unsigned Offset = 0;
  std::string Marker;
  bool Present = false;
  /// The file is included inside a declaration, such as a function body, at
  /// least once: the header goes into its includers instead.
  bool Enclosed = false;
  std::set<std::string> Includers; // absolute

  /// Merges with another inclusion or unit: the earliest place precedes all
  /// edits.
  void add(const IncludePoint &O) {
    if (Marker.empty() || O.Offset < Offset) {
      Offset = O.Offset;
      Marker = O.Marker;
    }
    Present |= O.Present;
    Enclosed |= O.Enclosed;
    Includers.insert(O.Includers.begin(), O.Includers.end());
  }
};

/// One `#pragma evenkeel` or `[[evenkeel::...]]`. Problem: why it has no
/// effect. Used: it applies to something.
struct WrittenAnnotation {
  std::string Word, Problem;
  bool Used = false;
};

/// The result of parsing one unit.
struct UnitResult {
  std::vector<Finding> Findings;
  std::set<std::string> Files;                  // absolute, below the root
  std::map<std::string, IncludePoint> Includes; // by absolute path
  /// The names under which the compiler opens the edited files, by absolute
  /// path, and its working directories.
  std::map<std::string, std::set<std::string>> Names;
  std::set<std::string> Directories;
  bool DefinesMalloc = false; // the unit defines malloc, free, ... itself
  std::set<std::string> OwnAllocators; // ... or others that have a rule
  bool DefinesNew = false; // ... or a replacement operator new/delete
  /// By path, line and column.
  std::map<std::tuple<std::string, unsigned, unsigned>,
           std::vector<WrittenAnnotation>>
      Annotations;
  /// Link names of functions of the project: the allocation wrappers defined
  /// here, and called functions that may be wrappers in other units. Only if
  /// CollectOptions::OtherWrappers is set.
  std::set<std::string> Wrappers, WrappersElsewhere;
  /// Only if CollectOptions::LinkDecides.
  LinkedWrappers Linked;
  /// Only if CollectOptions::CountsLoops.
  std::vector<CountedLoop> Loops;
  /// Sites in files outside the project that are not system headers, by path
  /// relative to the root.
  std::map<std::string, unsigned> OutsideRoot;
  /// Only if CollectOptions::Library is set.
  std::vector<BlockFlow> Flows;
  bool WithoutOpenMP = false; // in any of the unit's commands
  std::string FirstError;     // empty: parsed without errors
};

} // namespace evenkeel

#endif
