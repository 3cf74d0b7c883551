#include "mesh.h"
Mesh::Mesh(long Nodes, long Elements) : Node(Nodes), Weight(Elements) {
  Corner.resize(4 * Elements);
  for (long E = 0; E < Elements; E++)
    for (int K = 0; K < 4; K++)
      Corner[4 * E + K] = (E + K * 7) % Nodes;
  for (long I = 0; I < Nodes; I++)
    Node(I) = 1;
}
void Mesh::gather(std::vector<double> &Out) {
#pragma omp parallel for
  for (long E = 0; E < Weight.size(); E++) {
    double S = 0;
    for (int K = 0; K < 4; K++)
      S += Node(Corner[4 * E + K]);
    Out[E] = S;
    Weight(E) = S;
  }
}
