// Declarations in the shape of MPI's, for tests without an MPI.
typedef int MPI_Comm, MPI_Op, MPI_Datatype;
typedef struct request *MPI_Request;
typedef struct { int source, tag, error; } MPI_Status;
#define MPI_COMM_WORLD 0
#define MPI_SUM ((MPI_Op)(3))
#define MPI_MAX ((MPI_Op)(4))
#define MPI_INT 4
#define MPI_FLOAT 5
#define MPI_DOUBLE ((MPI_Datatype)(8))
#ifdef __cplusplus
extern "C" {
#endif
int MPI_Barrier(MPI_Comm);
int MPI_Reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Bcast_c(void *, long, MPI_Datatype, int, MPI_Comm);
int MPI_Start(MPI_Request *);
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
int MPI_Test(MPI_Request *, int *, MPI_Status *);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm,
              MPI_Request *);
int PMPI_Barrier(MPI_Comm);
#ifdef __cplusplus
}
#endif
