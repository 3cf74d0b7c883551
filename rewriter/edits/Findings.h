//===- Findings.h - what the rewriter saw and wants to change ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the results that pass from the AST walk (Collect) to the report, the
// inventory and the writers: one Finding per site, region, sync point or freed
// pointer, with its identity, what becomes of it, and the text edits it needs.
// Not here: Clang. Everything here is plain data with absolute file offsets,
// so units can be merged after their ASTs are gone.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_FINDINGS_H
#define EVENKEEL_REWRITER_FINDINGS_H

#include "LinkedWrappers.h"
#include "format/Identity.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace evenkeel {

/// In front of a line end in the text of an edit: it is left out where a line
/// begins anyway.
inline constexpr char FreshLine = '\2';
/// Stands in the text of a hook for who reaches it (Finding::Context), which
/// may differ where one text is included several times.
inline constexpr char HookContext = '\3';

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

/// One thing in the source that a rule, the inventory or the report speaks of.
struct Finding {
  /// Call: of an allocation wrapper.
  enum class Group { Site, Free, Reference, Region, Sync, Call };
  /// Rewritten: has edits. Already: the source is annotated there. Left: no
  /// rule edits this form, the run time sees it. Skipped: a rule would, but
  /// for Reason.
  enum class State { Rewritten, Already, Left, Skipped };

  Group Class = Group::Site;
  EntityKey Key;
  uint64_t Id = 0;
  unsigned Line = 0;   // presumed
  std::string Form;    // malloc, new[], parallel, task, barrier, ...
  std::string Context; // of sync points: serial, team or either
  State What = State::Rewritten;
  std::string Reason; // named; empty when nothing is given up
  /// False for what the IR names otherwise or does not count as a site (calls
  /// of the program's own allocators; code that runs in every constructor or
  /// caller): reported, but not in the inventory.
  bool Listed = true;
  bool FromHeap = false; // C allocation family (against operator new)
  bool Outside = false;  // static storage, mappings, MPI's: no heap
  /// What people wrote there: the share of a pin (or -1), the expected size in
  /// bytes (0: not said), the name of a region or of the phase that ends.
  int Pin = -1;
  uint64_t SizeHint = 0;
  std::string Name;
  std::string File;    // absolute; where the edits apply
  unsigned Offset = 0; // of the coordinate in its file
  unsigned Anchor = 0; // offset there of the text that gets annotated
  std::vector<TextEdit> Edits;

  std::string at() const {
    return Key.Path + ":" + std::to_string(Line) + ":" +
           std::to_string(Key.Column);
  }
  /// Calls of free have no id, and #line or a macro can put two of them at one
  /// coordinate.
  bool sameCall(const Finding &O) const {
    return Offset == O.Offset &&
           (Edits.empty() || O.Edits.empty() || Edits == O.Edits);
  }
  /// Whether both want to edit some piece of their file.
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
  /// Units that include one header find the same things in it. Containers have
  /// no ordinal, so within a macro's use several things can have one identity.
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

/// Where the header goes in a file that gets edits: before the first
/// declaration, behind the file's own leading directives. Marker is the line
/// directive with which the text at Offset keeps its number.
struct IncludePoint {
  unsigned Offset = 0;
  std::string Marker;
  bool Present = false;
  /// Somewhere the file's text lies within a declaration, such as a function's
  /// body: the header goes into the files that include it, instead.
  bool Enclosed = false;
  std::set<std::string> Includers; // absolute

  /// What another inclusion, or unit, says of the same file: the earliest point
  /// lies before the edits of all.
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

/// One `#pragma evenkeel` or `[[evenkeel::...]]`. Problem: why it says nothing.
/// Used: something of its kind lies in the text that it speaks of.
struct WrittenAnnotation {
  std::string Word, Problem;
  bool Used = false;
};

/// All that one parse of one unit yields.
struct UnitResult {
  std::vector<Finding> Findings;
  std::set<std::string> Files;                  // absolute, below the root
  std::map<std::string, IncludePoint> Includes; // by absolute path
  /// What the compiler calls the edited files, by absolute path, and the
  /// working directories in which it does.
  std::map<std::string, std::set<std::string>> Names;
  std::set<std::string> Directories;
  bool DefinesMalloc = false; // the unit defines malloc, free, ... itself
  std::set<std::string> OwnAllocators; // ... or others that have a rule
  bool DefinesNew = false; // ... or a replacement operator new/delete
  /// By place: path, line and column.
  std::map<std::tuple<std::string, unsigned, unsigned>,
           std::vector<WrittenAnnotation>>
      Annotations;
  /// Of the project's functions, by the names that linkers know: the allocation
  /// wrappers that are defined here, and what is called here that might be one
  /// of another unit. Only where CollectOptions::OtherWrappers is set.
  std::set<std::string> Wrappers, WrappersElsewhere;
  /// Only where CollectOptions::LinkDecides.
  LinkedWrappers Linked;
  /// Sites in files that are neither the system's nor ours, by file as seen
  /// from the root.
  std::map<std::string, unsigned> OutsideRoot;
  std::string FirstError; // empty: parsed without errors
};

} // namespace evenkeel

#endif
