// One template, instantiated in two units; and what the units call each other.
#ifndef TABLE_H
#define TABLE_H
#include <cstdlib>

template <class T> class Table {
  T *Cells;
  long Rows, Columns;

public:
  Table(long Rows, long Columns)
      : Cells(static_cast<T *>(std::malloc(Rows * Columns * sizeof(T)))),
        Rows(Rows), Columns(Columns) {}
  ~Table() { std::free(Cells); }
  T *row(long I) { return Cells + I * Columns; }
  long rows() const { return Rows; }
  long columns() const { return Columns; }
  T above(T Limit) const {
    T Sum = 0;
    for (long I = 0; I < Rows * Columns; ++I)
      if (Cells[I] > Limit)
        Sum += Cells[I];
    return Sum;
  }
};

extern "C" {
void relax(double *To, const double *From, long N);
long collatz(long N);
}
void sweep(Table<double> &To, Table<double> &From);
double countUp(Table<double> &T, const long *Order, long N);
extern long Threshold;

#endif
