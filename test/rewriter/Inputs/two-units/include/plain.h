double sum(const double *a, int n);
