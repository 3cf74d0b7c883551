// A hash table's nodes, of which few are hot, and a matrix of rows: nothing but
// small blocks, apart from the arrays of pointers to them.
#include <cstdio>
#include <cstdlib>

struct Node {
  Node *Next;
  long Key, Value[5];
};
struct Log {
  Log *Before;
  long Text[6];
};

static Node *addHot(Node **Table, long Buckets, long Key) {
  Node *N = (Node *)malloc(sizeof(Node));
  *N = Node{Table[Key % Buckets], Key, {Key, 1, 2, 3, 4}};
  return Table[Key % Buckets] = N;
}

static Log *addCold(Log *Before, long I) {
  Log *L = (Log *)malloc(sizeof(Log));
  *L = Log{Before, {I}};
  return L;
}

int main(int argc, char **argv) {
  const long N = argc > 1 ? atol(argv[1]) : 100000, Width = 256;
  Node **Table = (Node **)calloc(N, sizeof(Node *));
  double **Rows = (double **)malloc(N / 100 * sizeof(double *));
  Log *Last = nullptr;
  for (long I = 0; I < 4 * N; ++I)
    Last = addCold(Last, I);
  for (long I = 0; I < N / 100; ++I)
    Rows[I] = (double *)calloc(Width, sizeof(double));
  for (long I = 0; I < N; ++I)
    addHot(Table, N, I * 7919 % 1000003);
  long Sum = 0;
  for (int Round = 0; Round < 4; ++Round) {
#pragma omp parallel for schedule(static) reduction(+ : Sum)
    for (long I = 0; I < 2 * N; ++I) {
      const unsigned long Key = (unsigned long)I * 2654435761ul % (unsigned long)N;
      for (Node *At = Table[Key]; At; At = At->Next)
        Sum += At->Value[Round % 5];
    }
  }
  for (long I = 0; I < N / 100; ++I)
    Sum += (long)Rows[I][Width / 2];
  for (long Count = 0; Last && Count < 1000; ++Count) {
    Sum += Last->Text[0] & 1;
    Last = Last->Before;
  }
  std::printf("%ld\n", Sum);
  return 0;
}
