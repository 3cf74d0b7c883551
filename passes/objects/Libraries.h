//===- Libraries.h - effects of library functions on memory -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for functions of known libraries, which arguments they read and write
// and how many bytes, which pointers they store there, what they return, and
// which arguments they call. The table is Libraries.def; users add rows in the
// same notation through EVENKEEL_LIBRARIES (a file name).
// Not here: allocation functions (format/Allocators.h), entry points of
// OpenMP's runtime, intrinsics. A length that is known only at run time stays
// unknown.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_LIBRARIES_H
#define EVENKEEL_PASSES_OBJECTS_LIBRARIES_H

#include "format/ek_sizes.h"
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

/// One factor of an access count. Arguments are numbered from 0.
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

/// The memory that a call reads or writes through one pointer argument.
struct LibraryAccess {
  unsigned Argument = 0;
  bool Reads = false, Writes = false;
  /// The product is the number of elements; if ElementBytes is a line, the
  /// number of bytes, accessed line by line. Empty: a scalar or small record.
  llvm::SmallVector<LibraryFactor, 4> Count;
  uint64_t ElementBytes = EK_LINE;
};

struct LibraryCall {
  /// A pointer that the call produces: its result, or stored to memory passed
  /// to it.
  struct Pointer {
    enum KindType {
      Outside,  // to the library's own memory
      New,      // to a block that grows with a container: a site
      Argument, // argument N itself
      Into,     // somewhere into the block of argument N
      Held      // the pointer stored at the beginning of argument N's block
    } Kind = Outside;
    unsigned N = 0;
    int Where = -1;     // the argument that points to where it is stored; -1:
                        // returned
    int64_t Offset = 0; // bytes from where that argument points
  };
  /// An argument that is called with pointers into the blocks of other
  /// arguments.
  struct Callback {
    unsigned Argument;
    llvm::SmallVector<unsigned, 2> Data;
  };
  llvm::SmallVector<LibraryAccess, 4> Accesses;
  llvm::SmallVector<Pointer, 2> Pointers;
  llvm::SmallVector<Callback, 1> Callbacks;
  /// Offsets of the links in list or tree nodes that the call follows and, with
  /// Relinks, changes.
  llvm::SmallVector<int64_t, 3> Links;
  bool Relinks = false;
  bool Estimate = false; // the numbers describe a common implementation
};

/// The row of function \p Name; null: not known. Valid for the whole run.
const LibraryCall *findLibraryCall(llvm::StringRef Name);
/// The row of the external function that \p CB calls; null: none, or not known.
const LibraryCall *libraryCallOf(const llvm::CallBase &CB);
/// Whether \p CB allocates blocks that grow with a container.
bool growsContainer(const llvm::CallBase &CB);
/// Whether \p F, which is in no table, may still read or write memory of the
/// program.
bool isUnknownLibrary(const llvm::Function &F);

/// Bytes of the MPI data type that the named constant \p V denotes; 0: not
/// known.
uint64_t mpiExtent(const llvm::Value *V);

} // namespace evenkeel

#endif
