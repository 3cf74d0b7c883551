//===- NoteReader.cpp - reports read back from object files ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UnitNote.h. Reads the notes from sections of ELF files, also in archives.
// Unknown lines belong to a later version and are ignored.
//===----------------------------------------------------------------------===//
#include "UnitNote.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>

namespace evenkeel {
using llvm::StringRef;

namespace {

class NoteReader {
  std::vector<UnitResult> Results;
  Notes &N;
  bool Seen = false;

public:
  explicit NoteReader(Notes &N) : N(N) {}

  /// Whether \p Path can be read and has a note.
  MaybeError read(const std::string &Path) {
    // Reading a pipe might block forever.
    if (llvm::sys::fs::exists(Path) && !llvm::sys::fs::is_regular_file(Path))
      return Error{"cannot read '" + Path + "': it is not a regular file"};
    llvm::Expected<llvm::object::OwningBinary<llvm::object::Binary>> File =
        llvm::object::createBinary(Path);
    if (!File)
      return Error{
          "cannot read '" + Path +
          "' as a program, library or object: " + firstLine(File.takeError())};
    Seen = false;
    if (auto *Object =
            llvm::dyn_cast<llvm::object::ObjectFile>(File->getBinary()))
      readObject(*Object);
    else if (auto *Archive =
                 llvm::dyn_cast<llvm::object::Archive>(File->getBinary()))
      readArchive(*Archive);
    if (!Seen)
      return Error{"'" + Path +
                   "' has no report; was it compiled by evenkeel-cc, and does "
                   "it have sites?"};
    return std::nullopt;
  }

  void finish() {
    auto Order = [](const RefusedUnit &A, const RefusedUnit &B) {
      return A.Path < B.Path;
    };
    std::sort(N.Refused.begin(), N.Refused.end(), Order);
    N.Units = Results.size();
    for (UnitResult &R : Results)
      for (Finding &F : R.Findings)
        F.File.clear();
    // The edits are done, so conflicts between units cannot arise.
    if (Expected<Merged> M = mergeUnits(std::move(Results), true))
      N.Found = std::move(*M);
  }

private:
  static std::string firstLine(llvm::Error E) {
    return StringRef(llvm::toString(std::move(E))).split('\n').first.str();
  }

  void readArchive(const llvm::object::Archive &A) {
    llvm::Error Failure = llvm::Error::success();
    for (const llvm::object::Archive::Child &C : A.children(Failure)) {
      llvm::Expected<std::unique_ptr<llvm::object::Binary>> Member =
          C.getAsBinary();
      if (!Member)
        llvm::consumeError(Member.takeError()); // not an object file
      else if (auto *Object =
                   llvm::dyn_cast<llvm::object::ObjectFile>(Member->get()))
        readObject(*Object);
    }
    llvm::consumeError(std::move(Failure));
  }

  void readObject(const llvm::object::ObjectFile &Object) {
    for (const llvm::object::SectionRef &S : Object.sections()) {
      llvm::Expected<StringRef> Name = S.getName();
      if (!Name) {
        llvm::consumeError(Name.takeError());
        continue;
      }
      if (*Name != NoteSection)
        continue;
      llvm::Expected<StringRef> Text = S.getContents();
      if (!Text)
        llvm::consumeError(Text.takeError());
      else
        readText(*Text);
    }
  }

  void readText(StringRef Text) {
    while (!Text.empty()) {
      StringRef Line;
      std::tie(Line, Text) = Text.split('\n');
      // Linkers may pad between units.
      Line = Line.ltrim('\0');
      llvm::SmallVector<StringRef, 16> Fields;
      Line.split(Fields, '\t');
      if (Fields[0] == UnitLine && Fields.size() >= 3) {
        Seen = true;
        Results.emplace_back();
        if (!Fields[2].empty())
          N.Refused.push_back({Fields[1].str(), Fields[2].str()});
      } else if (unsigned Places; Fields[0] == OutsideLine &&
                                  Fields.size() == 3 && !Results.empty() &&
                                  !Fields[2].getAsInteger(10, Places)) {
        Results.back().OutsideRoot[Fields[1].str()] += Places;
      } else if (Fields.size() == 14 && !Results.empty()) {
        readFinding(Fields);
      }
    }
  }

  void readFinding(const llvm::SmallVectorImpl<StringRef> &Fields) {
    unsigned Class = 0, What = 0;
    if (Fields[0].getAsInteger(10, Class) || Fields[1].getAsInteger(10, What) ||
        Class > static_cast<unsigned>(Finding::Group::Call) ||
        What > static_cast<unsigned>(Finding::State::Skipped))
      return;
    Finding F;
    F.Class = static_cast<Finding::Group>(Class);
    F.What = static_cast<Finding::State>(What);
    F.Key.Kind = Fields[2].str();
    F.Key.Path = Fields[3].str();
    Fields[4].getAsInteger(10, F.Line);
    Fields[5].getAsInteger(10, F.Key.Column);
    F.Key.Function = Fields[6].str();
    Fields[7].getAsInteger(10, F.Key.LineOffset);
    Fields[8].getAsInteger(10, F.Key.Ordinal);
    Fields[9].getAsInteger(16, F.Id);
    F.Form = Fields[10].str();
    for (Reach R : {Reach::Serial, Reach::Team, Reach::Either})
      if (Fields[11] == reachName(R))
        F.Context = R;
    F.Reason = Fields[12].str();
    F.Listed = Fields[13].empty();
    Results.back().Findings.push_back(std::move(F));
  }
};

} // namespace

Expected<Notes> readNotes(const std::vector<std::string> &Paths) {
  Notes N;
  NoteReader Reader(N);
  for (const std::string &Path : Paths)
    if (MaybeError Failure = Reader.read(Path))
      return *Failure;
  Reader.finish();
  return N;
}

} // namespace evenkeel
