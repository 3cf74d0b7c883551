/* The part of MPI's interface that the tests need; only ever parsed. */
#define MPI_VERSION 3
typedef long MPI_Aint;
typedef struct ek_test_info *MPI_Info;
#define MPI_INFO_NULL ((MPI_Info)0)
int MPI_Alloc_mem(MPI_Aint n, MPI_Info info, void *base);
int MPI_Free_mem(void *base);
