//===- Output.cpp - diff, mirrored tree, in place -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Output.h.
//===----------------------------------------------------------------------===//
#include "Output.h"
#include "edits/Paths.h"
#include "format/NewFile.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace evenkeel {
namespace fs = std::filesystem;
using llvm::StringRef;

static Expected<std::string> readText(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return Error{"cannot read '" + Path + "': " + Buffer.getError().message()};
  return (*Buffer)->getBuffer().str();
}

Expected<EditedFiles> editFiles(const Merged &M) {
  EditedFiles Files;
  for (const auto &[Path, Edits] : M.Edits) {
    Expected<std::string> Text = readText(Path);
    if (!Text)
      return Text.takeError();
    for (const TextEdit &E : Edits)
      if (E.Offset + E.Length > Text->size())
        return Error{"'" + Path + "' changed while it was read; run again"};
    auto Include = M.Includes.find(Path);
    EditedFile F;
    F.New = applyEdits(
        *Text, Edits, Include == M.Includes.end() ? nullptr : &Include->second);
    F.Old = std::move(*Text);
    Files.emplace(Path, std::move(F));
  }
  return Files;
}

std::string projectDiff(const Merged &M, const EditedFiles &Files,
                        const std::string &Root) {
  std::string Out;
  for (const auto &[Path, F] : Files) {
    auto Include = M.Includes.find(Path);
    Out +=
        unifiedDiff(relativeTo(Path, Root), F.Old, M.Edits.at(Path),
                    Include == M.Includes.end() ? nullptr : &Include->second);
  }
  return Out;
}

/// Marks a tree that -o wrote, and may replace, unlike the user's folders.
static const char MirrorMarker[] = ".evenkeel-mirror";

/// Removes temporary files that killed runs left beside the files of \p All.
static void removeLeftOvers(const std::vector<NewFile> &All) {
  std::set<fs::path> Folders, Finals, Dead;
  for (const NewFile &F : All) {
    Finals.insert(F.place());
    Folders.insert(fs::path(F.place()).parent_path());
  }
  std::error_code EC;
  std::string Final;
  for (const fs::path &Folder : Folders)
    for (fs::directory_iterator It(Folder, EC), End; !EC && It != End;
         It.increment(EC))
      if (isLeftOver(It->path().filename().string(), Final) &&
          Finals.count(Folder / Final))
        Dead.insert(It->path());
  for (const fs::path &Path : Dead)
    fs::remove(Path, EC);
}

/// Adds to \p All the new text of \p Final, with the file mode of \p ModeOf.
static MaybeError stage(const std::string &Final, const std::string &Text,
                        const std::string &ModeOf, std::vector<NewFile> &All) {
  std::error_code EC;
  fs::create_directories(fs::path(Final).parent_path(), EC);
  Expected<NewFile> New = NewFile::beside(Final, ModeOf);
  if (!New)
    return New.takeError();
  All.push_back(std::move(*New));
  return All.back().write(Text);
}

/// Renames all files to their final names; removes them on \p Failure.
static MaybeError publish(std::vector<NewFile> &All, MaybeError Failure) {
  removeLeftOvers(All);
  for (NewFile &F : All)
    if (!Failure)
      Failure = F.publish();
  return Failure;
}

/// Gives \p Temporary the owner of \p Path, who may not be the user that runs
/// the rewriter.
static MaybeError keepOwner(const std::string &Path,
                            const std::string &Temporary) {
  struct stat Old, New;
  if (::stat(Path.c_str(), &Old) || ::stat(Temporary.c_str(), &New) ||
      (Old.st_uid == New.st_uid && Old.st_gid == New.st_gid))
    return std::nullopt;
  if (::chown(Temporary.c_str(), Old.st_uid, Old.st_gid) ||
      ::chmod(Temporary.c_str(), Old.st_mode & 07777)) // chown drops bits
    return Error{"cannot keep the owner of '" + Path + "': " +
                 std::strerror(errno) + "; run as that user, or use -o DIR"};
  return std::nullopt;
}

MaybeError writeInPlace(const EditedFiles &Files,
                        std::vector<std::string> &Detached) {
  std::vector<NewFile> All;
  MaybeError Failure;
  std::vector<std::string> Linked;
  for (const auto &[Path, F] : Files) {
    if (Failure)
      break;
    // Paths are canonical, so the target of a symbolic link is replaced.
    std::error_code EC;
    if (fs::hard_link_count(Path, EC) > 1 && !EC)
      Linked.push_back(Path);
    Failure = stage(Path, F.New, Path, All);
    if (!Failure)
      Failure = keepOwner(Path, All.back().path());
  }
  Failure = publish(All, std::move(Failure));
  if (!Failure)
    Detached = std::move(Linked);
  return Failure;
}

namespace {
/// Maps paths below the root to the mirror.
struct Mapper {
  const std::string &Root, &Target;

  std::string map(const std::string &Absolute) const {
    if (Absolute == Root)
      return Target;
    std::string Relative = relativeTo(Absolute, Root);
    return Relative.empty() ? Absolute : Target + "/" + Relative;
  }

  /// Maps a word of a command line: a path, or an option that ends in a path.
  /// Relative paths are kept if the working directory moves, too.
  std::string mapWord(const std::string &Word, const std::string &Directory,
                      bool Moves) const {
    static const char *const Prefixes[] = {"-I",         "-iquote",  "-isystem",
                                           "-idirafter", "-include", "-L",
                                           "-o",         "-MF"};
    std::string Prefix;
    if (!Word.empty() && Word[0] == '-') {
      for (const char *P : Prefixes)
        if (StringRef(Word).starts_with(P) && Word.size() > std::strlen(P))
          Prefix = P;
      if (Prefix.empty())
        return Word;
    }
    std::string Path = Word.substr(Prefix.size());
    bool Relative = !Path.empty() && Path[0] != '/';
    if (Relative && Moves) {
      // The mirror has the targets of links, not the links.
      std::string Plain =
          (fs::path(Directory) / Path).lexically_normal().generic_string();
      if (Plain.size() > 1 && Plain.back() == '/')
        Plain.pop_back(); // the slash of `.` and `include/`
      std::string Real = canonicalPath(Path, Directory);
      return Real == Plain || !fs::exists(Real) ? Word : Prefix + map(Real);
    }
    if (Relative && Prefix.empty() && !fs::exists(fs::path(Directory) / Path))
      return Word; // not a path
    std::string Absolute = canonicalPath(Path, Directory);
    std::string Mapped = map(Absolute);
    return Mapped == Absolute ? Word : Prefix + Mapped;
  }
};
} // namespace

MaybeError writeMirror(const Project &P, const Merged &M,
                       const EditedFiles &Files, const std::string &Directory) {
  std::error_code EC;
  std::string Target =
      canonicalPath(Directory, fs::current_path(EC).generic_string());
  if (Target == P.Root)
    return Error{"the output directory is the project root; use --in-place"};
  if (!relativeTo(P.Root, Target).empty())
    return Error{"the output directory '" + Directory +
                 "' holds the project root; name a new directory"};
  if (Target == fs::path(P.Database).parent_path().generic_string())
    return Error{"the output directory '" + Directory +
                 "' is the folder of the compile database; name a new "
                 "directory"};
  const std::string Marker = Target + "/" + MirrorMarker;
  if (fs::exists(Target, EC) && !fs::exists(Marker, EC) &&
      (!fs::is_directory(Target, EC) || !fs::is_empty(Target, EC) || EC))
    return Error{"the output directory '" + Directory +
                 "' holds files that are not from an earlier -o; name a new "
                 "directory or remove it"};
  Mapper Map{P.Root, Target};
  std::vector<NewFile> All;
  MaybeError Failure;
  for (const std::string &Path : M.Files) {
    if (Failure || !relativeTo(Path, Target).empty())
      continue;
    auto It = Files.find(Path);
    if (It != Files.end()) {
      Failure = stage(Map.map(Path), It->second.New, Path, All);
      continue;
    }
    Expected<std::string> Text = readText(Path);
    Failure = Text ? stage(Map.map(Path), *Text, Path, All)
                   : MaybeError(Text.takeError());
  }

  std::string Json;
  llvm::raw_string_ostream OS(Json);
  llvm::json::OStream J(OS, 2);
  J.arrayBegin();
  std::set<std::string> Wanted(P.Units.begin(), P.Units.end());
  for (const auto &C : P.Commands->getAllCompileCommands()) {
    std::string File = canonicalPath(C.Filename, C.Directory);
    if (!Wanted.count(File) || !M.Files.count(File))
      continue;
    std::string Working = canonicalPath(C.Directory, "/");
    std::string NewWorking = Map.map(Working);
    bool Moves = NewWorking != Working;
    fs::create_directories(NewWorking, EC);
    J.objectBegin();
    J.attribute("directory", NewWorking);
    J.attribute("file", Map.map(File));
    J.attributeArray("arguments", [&] {
      for (size_t I = 0; I < C.CommandLine.size(); ++I)
        J.value(I == 0 ? C.CommandLine[0]
                       : Map.mapWord(C.CommandLine[I], Working, Moves));
    });
    J.objectEnd();
  }
  J.arrayEnd();
  OS << '\n';
  OS.flush();
  if (!Failure)
    Failure = stage(Target + "/compile_commands.json", Json, P.Database, All);
  if (!Failure)
    Failure = stage(Marker, "", P.Database, All);
  return publish(All, std::move(Failure));
}

} // namespace evenkeel
