//===- Unit.cpp - units embedded in object files --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the record of a unit in its section: one line
//   evenkeel.unit-code/1 <tab> CODEC <tab> RAW <tab> STORED <tab> CRC <tab>
// NAME (sizes in bytes, CRC-32 of the uncompressed bytes), then STORED bytes.
// Linkers may pad between records with zeros. Assembler text carries the record
// through code generation, because a variable would be loaded with the program.
// Not here: offloaded code and formats other than ELF; such modules get no
// section.
//===----------------------------------------------------------------------===//
#include "unit/Unit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <set>

using namespace llvm;

namespace evenkeel {

static constexpr char RecordLine[] = "evenkeel.unit-code/1";

std::string bitcodeOf(const Module &M) {
  std::string Out;
  raw_string_ostream OS(Out);
  WriteBitcodeToFile(M, OS);
  return Out;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Below -O2 Clang forbids inlining of every function, and at -O0 optimising
/// it. How the program was built is no property of its accesses, so both are
/// removed.
static void allowOptimizing(Module &M) {
  for (Function &F : M) {
    if (F.hasFnAttribute(Attribute::AlwaysInline))
      continue;
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
  }
}

static std::string record(StringRef Name, StringRef Bitcode) {
  SmallVector<uint8_t, 0> Packed;
  StringRef Codec = "none";
  ArrayRef<uint8_t> Raw(Bitcode.bytes_begin(), Bitcode.bytes_end());
  if (compression::zstd::isAvailable()) {
    Codec = "zstd";
    compression::zstd::compress(Raw, Packed);
  } else if (compression::zlib::isAvailable()) {
    Codec = "zlib";
    compression::zlib::compress(Raw, Packed);
  } else {
    Packed.assign(Raw.begin(), Raw.end());
  }
  std::string Safe = Name.str();
  for (char &C : Safe)
    if (C == '\t' || C == '\n' || C == 0)
      C = ' ';
  std::string Out = std::string(RecordLine) + "\t" + Codec.str() + "\t" +
                    std::to_string(Raw.size()) + "\t" +
                    std::to_string(Packed.size()) + "\t" +
                    std::to_string(crc32(Raw)) + "\t" + Safe + "\n";
  Out.append(reinterpret_cast<const char *>(Packed.data()), Packed.size());
  return Out;
}

/// Assembler text that puts \p Bytes into the section of units.
static std::string asSection(StringRef Bytes) {
  constexpr size_t Width = 4096;
  std::string Out =
      (Twine(".pushsection ") + UnitSection + ",\"\",%progbits\n").str();
  Out.reserve(Out.size() + 4 * Bytes.size());
  for (; !Bytes.empty();
       Bytes = Bytes.drop_front(std::min(Width, Bytes.size()))) {
    Out += ".ascii \"";
    for (unsigned char C : Bytes.take_front(Width)) {
      if (isPrint(C) && C != '"' && C != '\\') {
        Out += static_cast<char>(C);
        continue;
      }
      Out += '\\';
      Out += static_cast<char>('0' + (C >> 6));
      Out += static_cast<char>('0' + (C >> 3 & 7));
      Out += static_cast<char>('0' + (C & 7));
    }
    Out += "\"\n";
  }
  return Out + ".popsection\n";
}

void embedUnit(Module &M, OptimizationLevel Level) {
  Triple T(M.getTargetTriple());
  if (!T.isOSBinFormatELF() || T.isNVPTX() || T.isAMDGPU())
    return;
  std::string Bitcode;
  if (Level == OptimizationLevel::O0 || Level == OptimizationLevel::O1) {
    std::unique_ptr<Module> Clone = CloneModule(M);
    allowOptimizing(*Clone);
    Bitcode = bitcodeOf(*Clone);
  } else {
    Bitcode = bitcodeOf(M);
  }
  M.appendModuleInlineAsm(asSection(record(M.getSourceFileName(), Bitcode)));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string foreignBitcode(StringRef Bitcode) {
  Expected<std::string> Producer =
      getBitcodeProducerString(MemoryBufferRef(Bitcode, ""));
  if (!Producer) {
    consumeError(Producer.takeError());
    return ""; // the reader reports the error
  }
  StringRef P = *Producer;
  unsigned Major = 0;
  if (!P.consume_front("LLVM") || P.consumeInteger(10, Major) ||
      Major == LLVM_VERSION_MAJOR)
    return "";
  return "bitcode of LLVM " + std::to_string(Major) + ", not " +
         std::to_string(LLVM_VERSION_MAJOR) + "; compile it with clang-" +
         std::to_string(LLVM_VERSION_MAJOR);
}

static void broken(StringRef Where, StringRef Why,
                   std::vector<UnitProblem> &Problems) {
  Problems.push_back({"unit-broken", ("broken unit in '" + Where + "': " + Why +
                                      "; compile it again")
                                         .str()});
}

static void readSection(StringRef Bytes, StringRef Where,
                        std::vector<UnitCode> &Units,
                        std::vector<UnitProblem> &Problems) {
  for (Bytes = Bytes.ltrim('\0'); !Bytes.empty(); Bytes = Bytes.ltrim('\0')) {
    auto [Line, Rest] = Bytes.split('\n');
    SmallVector<StringRef, 6> Fields;
    Line.split(Fields, '\t');
    uint64_t Raw = 0, Stored = 0;
    uint32_t Sum = 0;
    if (Fields.size() != 6 || Fields[4].getAsInteger(10, Sum) ||
        Fields[0] != RecordLine || Fields[2].getAsInteger(10, Raw) ||
        Fields[3].getAsInteger(10, Stored))
      return broken(Where, "no record of this version", Problems);
    StringRef Name = Fields[5];
    if (Stored > Rest.size())
      return broken(Where, "'" + Name.str() + "' is cut off", Problems);
    ArrayRef<uint8_t> Packed(Rest.bytes_begin(), Stored);
    Bytes = Rest.drop_front(Stored);
    SmallVector<uint8_t, 0> Out;
    Error E = Error::success();
    // Code does not compress 4096-fold; a damaged size must not cause a huge
    // allocation.
    if (Raw > (uint64_t(1) << 32) || Raw > 4096 * (Stored + 1))
      E = createStringError("its sizes are impossible");
    else if (Fields[1] == "zstd" && compression::zstd::isAvailable())
      E = compression::zstd::decompress(Packed, Out, Raw);
    else if (Fields[1] == "zlib" && compression::zlib::isAvailable())
      E = compression::zlib::decompress(Packed, Out, Raw);
    else if (Fields[1] == "none")
      Out.assign(Packed.begin(), Packed.end());
    else
      E = createStringError("compressed by a method that this LLVM lacks");
    if (!E && crc32(Out) != Sum)
      E = createStringError("its bytes have changed");
    if (E) {
      broken(Where, "'" + Name.str() + "': " + toString(std::move(E)),
             Problems);
      continue;
    }
    Units.push_back(
        {Name.str(),
         std::string(reinterpret_cast<const char *>(Out.data()), Out.size())});
  }
}

std::vector<UnitCode> embeddedUnits(const Module &M,
                                    std::vector<UnitProblem> &Problems) {
  std::string Bytes;
  bool Inside = false;
  StringRef Text = M.getModuleInlineAsm();
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (Line.starts_with(".pushsection")) {
      Inside = Line.contains(UnitSection);
    } else if (Line.starts_with(".popsection")) {
      Inside = false;
    } else if (Inside && Line.consume_front(".ascii \"") &&
               Line.consume_back("\"")) {
      for (size_t I = 0; I < Line.size(); ++I) {
        if (Line[I] != '\\' || I + 3 >= Line.size()) {
          Bytes += Line[I];
          continue;
        }
        Bytes +=
            static_cast<char>((Line[I + 1] - '0') << 6 |
                              (Line[I + 2] - '0') << 3 | (Line[I + 3] - '0'));
        I += 3;
      }
    }
  }
  std::vector<UnitCode> Units;
  readSection(Bytes, M.getModuleIdentifier(), Units, Problems);
  return Units;
}

static void readBuffer(MemoryBufferRef Buffer, StringRef Where,
                       std::vector<UnitCode> &Units,
                       std::vector<UnitProblem> &Problems);

/// Sources that a program's symbols name without a unit in it: objects compiled
/// without the plugin. The C library's startup files are ignored.
static void findForeignSources(const object::ELFObjectFileBase &Object,
                               StringRef Where, ArrayRef<UnitCode> Units,
                               std::vector<UnitProblem> &Problems) {
  StringSet<> Known;
  for (const UnitCode &U : Units)
    Known.insert(sys::path::filename(U.Name));
  for (StringRef Start : {"crtstuff.c", "init.c", "abi-note.c", "elf-init.c",
                          "static-reloc.c", "errno.c", "ld-temp.o"})
    Known.insert(Start);
  std::set<std::string> Foreign;
  for (const object::ELFSymbolRef &S : Object.symbols()) {
    Expected<StringRef> Name = S.getName();
    if (!Name) {
      consumeError(Name.takeError());
      continue;
    }
    StringRef File = sys::path::filename(*Name);
    if (S.getELFType() == ELF::STT_FILE && !Known.count(File) &&
        StringSwitch<bool>(sys::path::extension(File))
            .Cases(".c", ".cc", ".cpp", ".cxx", ".C", ".c++", true)
            .Default(false))
      Foreign.insert(File.str());
  }
  if (Foreign.empty())
    return;
  std::string Some;
  unsigned N = 0;
  for (const std::string &F : Foreign)
    if (++N <= 3)
      Some += (N > 1 ? ", " : "") + F;
  if (N > 3)
    Some += " and " + std::to_string(N - 3) + " more";
  Problems.push_back({"unit-built-without-plugin",
                      ("'" + Where + "' has no code of " + Some +
                       "; compile all of it with -g "
                       "-fpass-plugin=EvenkeelPass.so")
                          .str(),
                      /*Partial=*/true});
}

static void readObject(const object::ObjectFile &Object, StringRef Where,
                       std::vector<UnitCode> &Units,
                       std::vector<UnitProblem> &Problems) {
  StringRef Fat;
  bool Seen = false;
  size_t Before = Units.size();
  for (const object::SectionRef &S : Object.sections()) {
    Expected<StringRef> Name = S.getName();
    Expected<StringRef> Bytes = S.getContents();
    if (Name && Bytes && *Name == UnitSection) {
      Seen = true;
      readSection(*Bytes, Where, Units, Problems);
    } else if (Name && Bytes && *Name == ".llvm.lto") {
      Fat = *Bytes;
    }
    if (!Name)
      consumeError(Name.takeError());
    if (!Bytes)
      consumeError(Bytes.takeError());
  }
  if (!Seen && !Fat.empty())
    readBuffer(MemoryBufferRef(Fat, Where), Where, Units, Problems);
  if (auto *Elf = dyn_cast<object::ELFObjectFileBase>(&Object);
      Elf && Seen && !Elf->isRelocatableObject())
    findForeignSources(*Elf, Where, ArrayRef(Units).drop_front(Before),
                       Problems);
}

static void readArchive(const object::Archive &A, StringRef Where,
                        std::vector<UnitCode> &Units,
                        std::vector<UnitProblem> &Problems) {
  Error Failure = Error::success();
  for (const object::Archive::Child &C : A.children(Failure)) {
    Expected<StringRef> Name = C.getName();
    Expected<MemoryBufferRef> Member = C.getMemoryBufferRef();
    if (Name && Member)
      readBuffer(*Member, (Where + "(" + *Name + ")").str(), Units, Problems);
    if (!Name)
      consumeError(Name.takeError());
    if (!Member)
      consumeError(Member.takeError());
  }
  if (Failure)
    broken(Where, toString(std::move(Failure)), Problems);
}

static void readBuffer(MemoryBufferRef Buffer, StringRef Where,
                       std::vector<UnitCode> &Units,
                       std::vector<UnitProblem> &Problems) {
  auto Start = reinterpret_cast<const unsigned char *>(Buffer.getBufferStart());
  auto End = reinterpret_cast<const unsigned char *>(Buffer.getBufferEnd());
  if (isBitcode(Start, End)) {
    // An object of an LTO build, compiled with the plugin, carries its
    // unoptimised code.
    Units.push_back({Where.str(), Buffer.getBuffer().str()});
    return;
  }
  Expected<std::unique_ptr<object::Binary>> B = object::createBinary(Buffer);
  if (!B) {
    consumeError(B.takeError());
    Problems.push_back({"unit-broken", ("'" + Where +
                                        "' is no program, library, archive, "
                                        "object or bitcode")
                                           .str()});
    return;
  }
  if (auto *Object = dyn_cast<object::ObjectFile>(B->get()))
    readObject(*Object, Where, Units, Problems);
  else if (auto *A = dyn_cast<object::Archive>(B->get()))
    readArchive(*A, Where, Units, Problems);
}

void readUnits(StringRef Path, std::vector<UnitCode> &Units,
               std::vector<UnitProblem> &Problems) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Path, false, /*RequiresNullTerminator=*/false);
  if (!Buffer) {
    Problems.push_back(
        {"unit-missing",
         ("cannot read '" + Path + "': " + Buffer.getError().message()).str()});
    return;
  }
  size_t Before = Units.size() + Problems.size();
  readBuffer((*Buffer)->getMemBufferRef(), Path, Units, Problems);
  if (Units.size() + Problems.size() == Before)
    Problems.push_back(
        {"unit-without-code",
         ("'" + Path +
          "' holds no unit; build it with evenkeel-cc, or compile with -g "
          "-fpass-plugin=EvenkeelPass.so")
             .str()});
}

} // namespace evenkeel
