/* What only the run tells: how often a loop goes round, what a unit sets. */
long Threshold = 2;

long collatz(long N) {
  long Steps = 0;
  for (; N > 1; ++Steps)
    N = N % 2 ? 3 * N + 1 : N / 2;
  return Steps;
}

void relax(double *To, const double *From, long N) {
  for (long J = 0; J < N; ++J)
    To[J] = 0.5 * From[J] + 0.25 * (From[J - 1] + From[J + 1]);
}
