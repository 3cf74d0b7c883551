//===- BlockFlow.h - which pointers hold which blocks -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: of one unit, how pointers to allocated blocks pass from variable to
// variable, as a graph: a node is a variable, a member, a parameter, a result;
// an edge says that the value of one may become the value of the other.
// Makes: plain data with names that are the same in all units, so that units
// can be joined when their ASTs are gone.
// Not here: how the graph is made (library/FlowWalk.h), and what it is used for
// (library/Groups.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_EDITS_BLOCKFLOW_H
#define EVENKEEL_REWRITER_EDITS_BLOCKFLOW_H

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel {

/// Where a call is written: the absolute path and the offset of its first
/// token.
using TextPlace = std::pair<std::string, unsigned>;

/// Blocks of one family are freed by the calls of this family alone.
enum class BlockFamily { Heap, Array, Single }; // free, delete[], delete

/// A call that makes or frees a block, and the node of the block.
struct BlockCall {
  TextPlace Place;
  BlockFamily Family = BlockFamily::Heap;
  unsigned Node = 0;
};

struct BlockFlow {
  std::vector<std::string> Names;                   // of the nodes
  std::vector<std::pair<unsigned, unsigned>> Edges; // from, to
  std::vector<BlockCall> Makers, Enders;            // a realloc is one of each
  /// Nodes whose blocks are freed, or come from, where no call can be edited.
  std::set<unsigned> FreedElsewhere, MadeElsewhere;
  /// Functions of the project by name, with the number of parameters: with a
  /// body, and without one in this unit.
  std::set<std::string> Defined;
  std::map<std::string, unsigned> Called;
  bool DefinesMain = false;
};

/// The names of the nodes of a function's parameters and result.
inline std::string parameterNode(const std::string &Function, unsigned I) {
  return Function + "#" + std::to_string(I);
}
inline std::string resultNode(const std::string &Function) {
  return Function + "#result";
}

} // namespace evenkeel

#endif
