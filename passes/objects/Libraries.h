//===- Libraries.h - what functions of libraries do to memory ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which arguments functions of known libraries read and write and how
// much of them, which pointers they leave there, what they return and which
// arguments they call. The table is Libraries.def; people add to it, in the
// same words, through EVENKEEL_LIBRARIES (a file's name).
// Leaves out: allocation functions (format/Allocators.h), entry points of
// OpenMP's runtime, intrinsics. A length that only a run knows stays unknown.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_LIBRARIES_H
#define EVENKEEL_PASSES_OBJECTS_LIBRARIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace evenkeel {

/// One factor of a number of accesses. Arguments count from 0.
struct LibraryFactor {
  enum KindType {
    Constant,
    Value,   // the integer argument N
    Pointee, // the 32-bit integer that argument N points to (Fortran)
    Extent,  // bytes of the MPI data type that argument N names
    Unknown
  } Kind = Unknown;
  int64_t N = 0;
};

/// What is read or written behind one pointer argument.
struct LibraryAccess {
  unsigned Argument = 0;
  bool Reads = false, Writes = false;
  /// Their product is the number of elements; with ElementBytes 64 the number
  /// of bytes, which go line by line. Empty: a scalar or small record.
  llvm::SmallVector<LibraryFactor, 4> Count;
  uint64_t ElementBytes = 64;
};

struct LibraryCall {
  /// A pointer that comes out: as result, or in memory that is handed over.
  struct Pointer {
    enum KindType {
      Outside,  // to memory of the library's own
      New,      // to a block that grows with a container: a site
      Argument, // argument N, as it is
      Into,     // somewhere into argument N
      Held      // what lies at the beginning of argument N
    } Kind = Outside;
    unsigned N = 0;
    int Where = -1; // the argument that points to where it goes; -1: returned
    int64_t Offset = 0; // bytes behind what that argument points to
  };
  /// Argument that is called with pointers into others.
  struct Callback {
    unsigned Argument;
    llvm::SmallVector<unsigned, 2> Data;
  };
  llvm::SmallVector<LibraryAccess, 4> Accesses;
  llvm::SmallVector<Pointer, 2> Pointers;
  llvm::SmallVector<Callback, 1> Callbacks;
  /// Offsets of the links of list or tree nodes that it follows and, with
  /// Relinks, changes.
  llvm::SmallVector<int64_t, 3> Links;
  bool Relinks = false;
  bool Estimate = false; // the numbers are what a usual implementation does
};

/// Of the function \p Name; null: not known. Lives for ever.
const LibraryCall *findLibraryCall(llvm::StringRef Name);
/// Of the external function that \p CB calls; null: none, or not known.
const LibraryCall *libraryCallOf(const llvm::CallBase &CB);
/// Whether \p CB makes blocks that grow with a container.
bool growsContainer(const llvm::CallBase &CB);
/// Whether \p F, that no table knows, may read or write memory of the program's
/// all the same.
bool isUnknownLibrary(const llvm::Function &F);

/// Adds the rows in \p Text to the table; people's go before. Returns what is
/// wrong with it, with its line; empty: nothing.
std::string addLibraries(llvm::StringRef Text);

/// Bytes of an MPI data type as the named constant \p V says; 0: not known.
uint64_t mpiExtent(const llvm::Value *V);

} // namespace evenkeel

#endif
