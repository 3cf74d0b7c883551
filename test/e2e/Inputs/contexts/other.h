double *elsewhere(long N);
