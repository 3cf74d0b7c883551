// Blocks that are written and never read, of sites that make one and of sites
// that may make more.
#include <cstdio>
#include <cstdlib>
#include <cstring>

static char *need(size_t N) {
  char *P = static_cast<char *>(malloc(N));
  if (!P) {
    puts("no memory for a wrapper");
    exit(1);
  }
  return P;
}

int main(int argc, char **argv) {
  size_t N = static_cast<size_t>(atol(argv[1])) << 20;
  int Times = argc > 2 ? atoi(argv[2]) : 0;
  char *Once = static_cast<char *>(malloc(N));
  double *Zeroed = static_cast<double *>(calloc(N / 8, sizeof *Zeroed));
  double *Array = new double[N / 8];
  if (!Once || !Zeroed) {
    puts("no memory");
    return 1;
  }
  memset(Once, 1, N);
  Zeroed[3] = 1;
  Array[4] = 1;
  free(Zeroed);
  delete[] Array;
  for (int I = 0; I < Times; ++I) {
    char *Often = static_cast<char *>(malloc(N));
    if (!Often) {
      puts("no memory for a loop");
      return 1;
    }
    *Often = 1;
    free(Often);
  }
  if (argc > 3)
    *need(N) = 1;
  puts("done");
}
