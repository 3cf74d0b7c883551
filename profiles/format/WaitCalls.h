//===- WaitCalls.h - library functions in which tasks wait ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the calls of MPI and thread libraries that are sync points, and the
// kind of each; names from MPI 4.1, POSIX, C11, C++20. The rewriter and the
// passes use this, so that both agree.
// Not here: MPI_Test and similar calls, which do not wait.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_WAITCALLS_H
#define EVENKEEL_FORMAT_WAITCALLS_H

#include "ek_mpi.h"
#include "format/SyncKind.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace evenkeel {

// Sorted; without MPI_.
inline constexpr std::string_view MpiCollectives[] = {
    "Allgather",
    "Allgatherv",
    "Allreduce",
    "Alltoall",
    "Alltoallv",
    "Alltoallw",
    "Barrier",
    "Bcast",
    "Cart_create",
    "Cart_sub",
    "Comm_create",
    "Comm_dup",
    "Comm_dup_with_info",
    "Comm_split",
    "Comm_split_type",
    "Dist_graph_create",
    "Dist_graph_create_adjacent",
    "Exscan",
    "File_close",
    "File_open",
    "File_read_all",
    "File_read_all_end",
    "File_read_at_all",
    "File_read_at_all_end",
    "File_read_ordered",
    "File_sync",
    "File_write_all",
    "File_write_all_end",
    "File_write_at_all",
    "File_write_at_all_end",
    "File_write_ordered",
    "Finalize",
    "Gather",
    "Gatherv",
    "Graph_create",
    "Intercomm_create",
    "Intercomm_merge",
    "Neighbor_allgather",
    "Neighbor_allgatherv",
    "Neighbor_alltoall",
    "Neighbor_alltoallv",
    "Neighbor_alltoallw",
    "Reduce",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Scan",
    "Scatter",
    "Scatterv",
    "Win_allocate",
    "Win_allocate_shared",
    "Win_create",
    "Win_fence",
    "Win_free",
};
inline constexpr std::string_view MpiWaits[] = {
    "Mprobe",         "Mrecv",         "Probe",
    "Recv",           "Sendrecv",      "Sendrecv_replace",
    "Ssend",          "Wait",          "Waitall",
    "Waitany",        "Waitsome",      "Win_complete",
    "Win_flush",      "Win_flush_all", "Win_unlock",
    "Win_unlock_all", "Win_wait",
};

template <size_t N>
inline bool isAmong(const std::string_view (&Sorted)[N],
                    std::string_view Name) {
  return std::binary_search(std::begin(Sorted), std::end(Sorted), Name);
}

/// The kind of wait in the C function \p Name, also with MPI's prefix PMPI_ and
/// suffix _c; none if it does not wait.
inline std::optional<SyncKind> waitOf(std::string_view Name) {
  if (Name == "pthread_barrier_wait")
    return SyncKind::ThreadBarrier;
  if (Name == "pthread_join" || Name == "pthread_timedjoin_np" ||
      Name == "pthread_clockjoin_np" || Name == "thrd_join")
    return SyncKind::ThreadJoin;
  if (Name == "ek_relaxed_call") // a rewritten MPI_Allreduce
    return SyncKind::MpiCollective;
  std::string_view Rest = Name.substr(0, 1) == "P" ? Name.substr(1) : Name;
  if (Rest.substr(0, 4) != "MPI_")
    return std::nullopt;
  Rest.remove_prefix(4);
  if (Rest.size() > 2 && Rest.substr(Rest.size() - 2) == "_c")
    Rest.remove_suffix(2);
  if (isAmong(MpiCollectives, Rest))
    return SyncKind::MpiCollective;
  if (isAmong(MpiWaits, Rest))
    return SyncKind::MpiWait;
  if (Rest == "Start" || Rest == "Startall")
    return SyncKind::MpiStart;
  return std::nullopt;
}

/// The ranks that take part in a collective: given by the argument \p Argument,
/// a handle of the kind \p Of.
struct CollectiveRanks {
  ek_mpi_of Of;
  unsigned Argument;
};

/// The same for the C function \p Name, an MpiCollective, with \p Arguments
/// arguments.
inline CollectiveRanks collectiveRanks(std::string_view Name,
                                       unsigned Arguments) {
  Name.remove_prefix(Name.substr(0, 1) == "P" ? 5 : 4);
  auto Begins = [&](std::string_view With) {
    return Name.substr(0, With.size()) == With;
  };
  if (Begins("Finalize"))
    return {EK_MPI_ALL, 0};
  if (Begins("Intercomm_create"))
    return {EK_MPI_UNION, 0};
  if (Begins("File_open") || Begins("Comm_") || Begins("Cart_") ||
      Begins("Graph_") || Begins("Dist_graph_") || Begins("Intercomm_"))
    return {EK_MPI_COMM, 0};
  if (Begins("File_close"))
    return {EK_MPI_FILE_AT, 0};
  if (Begins("File_"))
    return {EK_MPI_FILE, 0};
  if (Begins("Win_fence"))
    return {EK_MPI_WIN, 1};
  if (Begins("Win_free"))
    return {EK_MPI_WIN_AT, 0};
  if (Begins("Win_create"))
    return {EK_MPI_COMM, 4};
  if (Begins("Win_"))
    return {EK_MPI_COMM, 3};
  return {EK_MPI_COMM, Arguments ? Arguments - 1 : 0};
}

/// The kind of wait in a member function of a class in namespace std, without
/// template arguments: ("barrier", "arrive_and_wait").
inline std::optional<SyncKind> waitOf(std::string_view Class,
                                      std::string_view Member) {
  if ((Class == "barrier" || Class == "latch") &&
      (Member == "arrive_and_wait" || Member == "wait"))
    return SyncKind::ThreadBarrier;
  if ((Class == "thread" || Class == "jthread") && Member == "join")
    return SyncKind::ThreadJoin;
  return std::nullopt;
}

/// Whether all tasks wait in calls of this kind, so that a phase ends there.
inline bool allWait(std::optional<SyncKind> K) {
  return K == SyncKind::MpiCollective;
}

} // namespace evenkeel

#endif
