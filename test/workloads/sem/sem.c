/*===- sem.c - elastic waves by spectral elements -------------------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The time step of SPECFEM3D's kind (Komatitsch and Tromp 1999): hexahedra with
 * 5 x 5 x 5 Gauss-Lobatto-Legendre points, mass matrix diagonal, displacements
 * gathered through a global numbering, stresses from metric terms and moduli
 * stored per point, forces scattered colour by colour, explicit Newmark scheme.
 * The top third of the layers is transversely isotropic and has five moduli
 * instead of two, as the upper mantle has in global models; so the threads that
 * get those elements read more.
 *
 * `--verify` compares what the scheme conserves exactly, v'Mv/2 + u'Ku/2 -
 * dt^2 a'Ma/8, between start and end, and asks that a rigid rotation of the
 *mesh causes no force. Sums are formed in blocks, alike for any number of
 *threads.
 *
 *   sem NX NY NZ STEPS [--out FILE] [--verify]     NX x NY x NZ elements
 *===----------------------------------------------------------------------===*/
#define PROGRAM "sem"
#include "../common/support.h"
#include <math.h>

enum { G = 5, POINTS = G * G * G, COLOURS = 8, SUM_BLOCK = 2048 };

/* Mesh and matter. Arrays of doubles hold POINTS values per element. */
struct mesh {
  int64_t nx, ny, nz, elements, points;
  int64_t colour[COLOURS + 1]; /* elements are sorted by colour */
  int32_t *number;             /* global point of each point of an element */
  double *xix, *xiy, *xiz, *etax, *etay, *etaz, *gammax, *gammay, *gammaz;
  double *jacobian;
  double *lambda, *mu; /* isotropic matter */
  int32_t *layered;    /* n: n-th layered element; -1 - n: n-th isotropic one */
  double *mod_a, *mod_c, *mod_f, *mod_l, *mod_n; /* Love 1927 */
  double *mass;                                  /* per global point */
  double hprime[G][G], weight[G], dt;
};

struct field {
  double *u, *v, *a; /* three components per global point */
};

static const double gll[G] = {-1, -0.65465367070797714380, 0,
                              0.65465367070797714380, 1};

/* Derivatives of the Lagrange polynomials, by the barycentric formula. */
static void quadrature(struct mesh *m) {
  static const double w[G] = {0.1, 49.0 / 90, 32.0 / 45, 49.0 / 90, 0.1};
  double bary[G];
  for (int i = 0; i < G; i++) {
    m->weight[i] = w[i];
    bary[i] = 1;
    for (int j = 0; j < G; j++)
      if (j != i)
        bary[i] /= gll[i] - gll[j];
  }
  for (int i = 0; i < G; i++) {
    m->hprime[i][i] = 0;
    for (int j = 0; j < G; j++)
      if (j != i) {
        m->hprime[i][j] = bary[j] / bary[i] / (gll[i] - gll[j]);
        m->hprime[i][i] -= m->hprime[i][j];
      }
  }
}

/* Where point (i, j, k) of element (ei, ej, ek) lies: a box with topography and
 * bent layers. */
static void position(const struct mesh *m, int64_t ei, int64_t ej, int64_t ek,
                     int i, int j, int k, double *x) {
  double a = ((double)ei + 0.5 * (1 + gll[i])) / (double)m->nx;
  double b = ((double)ej + 0.5 * (1 + gll[j])) / (double)m->ny;
  double c = ((double)ek + 0.5 * (1 + gll[k])) / (double)m->nz;
  x[0] = a + 0.02 * sin(M_PI * c) * sin(2 * M_PI * b);
  x[1] = b + 0.02 * sin(M_PI * c) * sin(2 * M_PI * a);
  x[2] = c * (1 + 0.08 * sin(2 * M_PI * a) * cos(M_PI * b));
}

/* Elements in order of colour, then of depth; number of each one's place. */
static void order(struct mesh *m, int32_t *place) {
  int64_t next = 0;
  for (int c = 0; c < COLOURS; c++) {
    m->colour[c] = next;
    for (int64_t e = 0; e < m->elements; e++) {
      int64_t i = e % m->nx, j = e / m->nx % m->ny, k = e / m->nx / m->ny;
      if (i % 2 + 2 * (j % 2) + 4 * (k % 2) == c)
        place[next++] = (int32_t)e;
    }
  }
  m->colour[COLOURS] = next;
}

/* Points get numbers in the order in which the elements meet them. */
static void number_points(struct mesh *m, const int32_t *place) {
  int64_t lx = (G - 1) * m->nx + 1, ly = (G - 1) * m->ny + 1;
  int64_t lattice = lx * ly * ((G - 1) * m->nz + 1);
  if (lattice > INT32_MAX)
    die("too many points for 32-bit numbers", "NX NY NZ");
  int32_t *seen = need(malloc((size_t)lattice * sizeof(int32_t)));
  for (int64_t p = 0; p < lattice; p++)
    seen[p] = -1;
  m->points = 0;
  for (int64_t s = 0; s < m->elements; s++) {
    int64_t e = place[s];
    int64_t i0 = e % m->nx * (G - 1), j0 = e / m->nx % m->ny * (G - 1);
    int64_t k0 = e / m->nx / m->ny * (G - 1);
    for (int64_t p = 0; p < POINTS; p++) {
      int64_t i = i0 + p % G, j = j0 + p / G % G, k = k0 + p / G / G;
      int32_t *here = &seen[(k * ly + j) * lx + i];
      if (*here < 0)
        *here = (int32_t)m->points++;
      m->number[s * POINTS + p] = *here;
    }
  }
  free(seen);
}

static double *per_point(int64_t elements) {
  return need(malloc((size_t)(elements * POINTS) * sizeof(double)));
}

/* Metric terms at all points of element `s`, which is element e of the box. */
static void metric(struct mesh *m, int64_t s, int64_t e) {
  double x[POINTS][3];
  int64_t ei = e % m->nx, ej = e / m->nx % m->ny, ek = e / m->nx / m->ny;
  for (int p = 0; p < POINTS; p++)
    position(m, ei, ej, ek, p % G, p / G % G, p / G / G, x[p]);
  for (int p = 0; p < POINTS; p++) {
    int i = p % G, j = p / G % G, k = p / G / G;
    double d[3][3] = {{0}}; /* d[r][c] = dx_c / dxi_r */
    for (int l = 0; l < G; l++)
      for (int c = 0; c < 3; c++) {
        d[0][c] += m->hprime[i][l] * x[(k * G + j) * G + l][c];
        d[1][c] += m->hprime[j][l] * x[(k * G + l) * G + i][c];
        d[2][c] += m->hprime[k][l] * x[(l * G + j) * G + i][c];
      }
    double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                 d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                 d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
    int64_t at = s * POINTS + p;
    m->jacobian[at] = det;
    m->xix[at] = (d[1][1] * d[2][2] - d[1][2] * d[2][1]) / det;
    m->xiy[at] = (d[1][2] * d[2][0] - d[1][0] * d[2][2]) / det;
    m->xiz[at] = (d[1][0] * d[2][1] - d[1][1] * d[2][0]) / det;
    m->etax[at] = (d[0][2] * d[2][1] - d[0][1] * d[2][2]) / det;
    m->etay[at] = (d[0][0] * d[2][2] - d[0][2] * d[2][0]) / det;
    m->etaz[at] = (d[0][1] * d[2][0] - d[0][0] * d[2][1]) / det;
    m->gammax[at] = (d[0][1] * d[1][2] - d[0][2] * d[1][1]) / det;
    m->gammay[at] = (d[0][2] * d[1][0] - d[0][0] * d[1][2]) / det;
    m->gammaz[at] = (d[0][0] * d[1][1] - d[0][1] * d[1][0]) / det;
  }
}

static void matter(struct mesh *m, const int32_t *place) {
  int64_t first = m->nz - m->nz / 3, layered = 0, isotropic = 0;
  for (int64_t s = 0; s < m->elements; s++)
    m->layered[s] =
        (int32_t)(place[s] / m->nx / m->ny >= first ? layered++
                                                    : -1 - isotropic++);
  m->lambda = per_point(isotropic);
  m->mu = per_point(isotropic);
  m->mod_a = per_point(layered);
  m->mod_c = per_point(layered);
  m->mod_f = per_point(layered);
  m->mod_l = per_point(layered);
  m->mod_n = per_point(layered);
#pragma omp parallel for schedule(static)
  for (int64_t s = 0; s < m->elements; s++) {
    double depth = (double)(place[s] / m->nx / m->ny) / (double)m->nz;
    double stiff = 2.5 - depth;
    for (int64_t p = 0; p < POINTS; p++) {
      if (m->layered[s] < 0) {
        int64_t at = (-1 - m->layered[s]) * (int64_t)POINTS + p;
        m->lambda[at] = stiff;
        m->mu[at] = 0.8 * stiff;
      } else {
        int64_t at = m->layered[s] * (int64_t)POINTS + p;
        m->mod_a[at] = 2.7 * stiff;
        m->mod_c[at] = 2.4 * stiff;
        m->mod_f[at] = 0.9 * stiff;
        m->mod_l[at] = 0.7 * stiff;
        m->mod_n[at] = 0.9 * stiff;
      }
    }
  }
}

static void make_mesh(struct mesh *m) {
  m->elements = m->nx * m->ny * m->nz;
  quadrature(m);
  int32_t *place = need(malloc((size_t)m->elements * sizeof(int32_t)));
  m->number = need(malloc((size_t)(m->elements * POINTS) * sizeof(int32_t)));
  m->layered = need(malloc((size_t)m->elements * sizeof(int32_t)));
  m->xix = per_point(m->elements);
  m->xiy = per_point(m->elements);
  m->xiz = per_point(m->elements);
  m->etax = per_point(m->elements);
  m->etay = per_point(m->elements);
  m->etaz = per_point(m->elements);
  m->gammax = per_point(m->elements);
  m->gammay = per_point(m->elements);
  m->gammaz = per_point(m->elements);
  m->jacobian = per_point(m->elements);
  order(m, place);
  number_points(m, place);
  matter(m, place);
#pragma omp parallel for schedule(static)
  for (int64_t s = 0; s < m->elements; s++)
    metric(m, s, place[s]);
  free(place);

  m->mass = need(malloc((size_t)m->points * sizeof(double)));
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < m->points; p++)
    m->mass[p] = 0;
  for (int c = 0; c < COLOURS; c++) {
#pragma omp parallel for schedule(static)
    for (int64_t s = m->colour[c]; s < m->colour[c + 1]; s++)
      for (int64_t p = 0; p < POINTS; p++)
        m->mass[m->number[s * POINTS + p]] +=
            m->jacobian[s * POINTS + p] * m->weight[p % G] *
            m->weight[p / G % G] * m->weight[p / G / G];
  }
  /* Courant number 0.3 for the fastest wave and the closest points. */
  int64_t most = m->nx > m->ny ? m->nx : m->ny;
  most = most > m->nz ? most : m->nz;
  m->dt = 0.3 * 0.5 * (1 + gll[1]) / (double)most / sqrt(2.7 * 2.5);
}

static void free_mesh(struct mesh *m) {
  void *all[] = {m->number, m->layered,  m->xix,    m->xiy,    m->xiz,
                 m->etax,   m->etay,     m->etaz,   m->gammax, m->gammay,
                 m->gammaz, m->jacobian, m->lambda, m->mu,     m->mod_a,
                 m->mod_c,  m->mod_f,    m->mod_l,  m->mod_n,  m->mass};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
}

/* Stress s (xx, yy, zz, yz, xz, xy) from the gradient g[r][c] = du_r / dx_c at
 * point p of element e. */
static inline void stress(const struct mesh *m, int64_t e, int p,
                          double g[3][3], double *s) {
  double yz = g[1][2] + g[2][1], xz = g[0][2] + g[2][0];
  double xy = g[0][1] + g[1][0];
  int32_t layered = m->layered[e];
  if (layered < 0) {
    int64_t at = (-1 - layered) * (int64_t)POINTS + p;
    double lambda = m->lambda[at], mu = m->mu[at];
    double trace = lambda * (g[0][0] + g[1][1] + g[2][2]);
    s[0] = trace + 2 * mu * g[0][0];
    s[1] = trace + 2 * mu * g[1][1];
    s[2] = trace + 2 * mu * g[2][2];
    s[3] = mu * yz;
    s[4] = mu * xz;
    s[5] = mu * xy;
  } else {
    int64_t at = layered * (int64_t)POINTS + p;
    double a = m->mod_a[at], f = m->mod_f[at], n = m->mod_n[at];
    double l = m->mod_l[at];
    s[0] = a * g[0][0] + (a - 2 * n) * g[1][1] + f * g[2][2];
    s[1] = (a - 2 * n) * g[0][0] + a * g[1][1] + f * g[2][2];
    s[2] = f * (g[0][0] + g[1][1]) + m->mod_c[at] * g[2][2];
    s[3] = l * yz;
    s[4] = l * xz;
    s[5] = n * xy;
  }
}

/* Adds the forces of element e to `force`. */
static void element_forces(const struct mesh *m, int64_t e, const double *u,
                           double *force) {
  double local[POINTS][3], flow[3][POINTS][3];
  for (int p = 0; p < POINTS; p++)
    for (int c = 0; c < 3; c++)
      local[p][c] = u[3 * m->number[e * POINTS + p] + c];
  for (int p = 0; p < POINTS; p++) {
    int i = p % G, j = p / G % G, k = p / G / G;
    double d[3][3] = {{0}}; /* d[r][c] = du_c / dxi_r */
    for (int l = 0; l < G; l++)
      for (int c = 0; c < 3; c++) {
        d[0][c] += m->hprime[i][l] * local[(k * G + j) * G + l][c];
        d[1][c] += m->hprime[j][l] * local[(k * G + l) * G + i][c];
        d[2][c] += m->hprime[k][l] * local[(l * G + j) * G + i][c];
      }
    int64_t at = e * POINTS + p;
    double xi[3] = {m->xix[at], m->xiy[at], m->xiz[at]};
    double eta[3] = {m->etax[at], m->etay[at], m->etaz[at]};
    double gamma[3] = {m->gammax[at], m->gammay[at], m->gammaz[at]};
    double g[3][3], s[6];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        g[r][c] = xi[c] * d[0][r] + eta[c] * d[1][r] + gamma[c] * d[2][r];
    stress(m, e, p, g, s);
    double t[3][3] = {
        {s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}};
    double jacobian = m->jacobian[at];
    for (int r = 0; r < 3; r++) {
      flow[0][p][r] =
          jacobian * (t[r][0] * xi[0] + t[r][1] * xi[1] + t[r][2] * xi[2]);
      flow[1][p][r] =
          jacobian * (t[r][0] * eta[0] + t[r][1] * eta[1] + t[r][2] * eta[2]);
      flow[2][p][r] = jacobian * (t[r][0] * gamma[0] + t[r][1] * gamma[1] +
                                  t[r][2] * gamma[2]);
    }
  }
  for (int p = 0; p < POINTS; p++) {
    int i = p % G, j = p / G % G, k = p / G / G;
    double sum[3] = {0};
    double wi = m->weight[i], wj = m->weight[j], wk = m->weight[k];
    for (int l = 0; l < G; l++) {
      double hi = wj * wk * m->weight[l] * m->hprime[l][i];
      double hj = wi * wk * m->weight[l] * m->hprime[l][j];
      double hk = wi * wj * m->weight[l] * m->hprime[l][k];
      for (int c = 0; c < 3; c++)
        sum[c] += hi * flow[0][(k * G + j) * G + l][c] +
                  hj * flow[1][(k * G + l) * G + i][c] +
                  hk * flow[2][(l * G + j) * G + i][c];
    }
    for (int c = 0; c < 3; c++)
      force[3 * m->number[e * POINTS + p] + c] -= sum[c];
  }
}

/* force = -K u. Elements of one colour share no points. */
static void forces(const struct mesh *m, const double *u, double *force) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < 3 * m->points; i++)
    force[i] = 0;
  for (int c = 0; c < COLOURS; c++) {
#pragma omp parallel for schedule(static)
    for (int64_t e = m->colour[c]; e < m->colour[c + 1]; e++)
      element_forces(m, e, u, force);
  }
}

/* One step: displacement and half the velocity, forces, the other half. */
static void step(const struct mesh *m, const struct field *w) {
  double dt = m->dt;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < 3 * m->points; i++) {
    w->u[i] += dt * w->v[i] + 0.5 * dt * dt * w->a[i];
    w->v[i] += 0.5 * dt * w->a[i];
  }
  forces(m, w->u, w->a);
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < m->points; p++)
    for (int c = 0; c < 3; c++) {
      w->a[3 * p + c] /= m->mass[p];
      w->v[3 * p + c] += 0.5 * dt * w->a[3 * p + c];
    }
}

/* The conserved sum; `kinetic` is its first term. */
static double energy(const struct mesh *m, const struct field *w,
                     double *kinetic) {
  int64_t blocks = (m->points + SUM_BLOCK - 1) / SUM_BLOCK;
  double *part = need(malloc((size_t)(2 * blocks) * sizeof(double)));
#pragma omp parallel for schedule(static)
  for (int64_t b = 0; b < blocks; b++) {
    double moving = 0, rest = 0;
    for (int64_t p = b * SUM_BLOCK; p < (b + 1) * SUM_BLOCK && p < m->points;
         p++)
      for (int64_t i = 3 * p; i < 3 * p + 3; i++) {
        moving += 0.5 * m->mass[p] * w->v[i] * w->v[i];
        rest -= 0.5 * m->mass[p] * w->a[i] *
                (w->u[i] + 0.25 * m->dt * m->dt * w->a[i]);
      }
    part[2 * b] = moving;
    part[2 * b + 1] = rest;
  }
  double sum = 0;
  *kinetic = 0;
  for (int64_t b = 0; b < blocks; b++) {
    *kinetic += part[2 * b];
    sum += part[2 * b] + part[2 * b + 1];
  }
  free(part);
  return sum;
}

/* A smooth bump of displacement, at rest. */
static void start(const struct mesh *m, const struct field *w) {
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < 3 * m->points; i++)
    w->u[i] = w->v[i] = 0;
  int32_t *place = need(malloc((size_t)m->elements * sizeof(int32_t)));
  struct mesh same = *m;
  order(&same, place);
  for (int c = 0; c < COLOURS; c++) {
#pragma omp parallel for schedule(static)
    for (int64_t s = m->colour[c]; s < m->colour[c + 1]; s++) {
      int64_t e = place[s];
      for (int p = 0; p < POINTS; p++) {
        double x[3];
        position(m, e % m->nx, e / m->nx % m->ny, e / m->nx / m->ny, p % G,
                 p / G % G, p / G / G, x);
        double r2 = (x[0] - 0.45) * (x[0] - 0.45) +
                    (x[1] - 0.55) * (x[1] - 0.55) +
                    (x[2] - 0.60) * (x[2] - 0.60);
        double *u = &w->u[3 * (int64_t)m->number[s * POINTS + p]];
        u[0] = exp(-40 * r2);
        u[1] = -0.5 * u[0];
        u[2] = 0.8 * u[0];
      }
    }
  }
  free(place);
  forces(m, w->u, w->a);
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < 3 * m->points; i++)
    w->a[i] /= m->mass[i / 3];
}

/* Largest force that a rigid rotation causes, against that of the bump. */
static double rotation_force(const struct mesh *m, const struct field *w) {
  double bump = 0, worst = 0;
  for (int64_t i = 0; i < 3 * m->points; i++)
    bump = fmax(bump, fabs(w->a[i] * m->mass[i / 3]));
  size_t bytes = (size_t)(3 * m->points) * sizeof(double);
  double *u = need(malloc(bytes)), *force = need(malloc(bytes));
  int32_t *place = need(malloc((size_t)m->elements * sizeof(int32_t)));
  struct mesh same = *m;
  order(&same, place);
  for (int64_t s = 0; s < m->elements; s++)
    for (int p = 0; p < POINTS; p++) {
      int64_t e = place[s];
      double x[3], *to = &u[3 * (int64_t)m->number[s * POINTS + p]];
      position(m, e % m->nx, e / m->nx % m->ny, e / m->nx / m->ny, p % G,
               p / G % G, p / G / G, x);
      to[0] = 0.3 * x[1] - 0.2 * x[2];
      to[1] = -0.3 * x[0] + 0.5 * x[2];
      to[2] = 0.2 * x[0] - 0.5 * x[1];
    }
  forces(m, u, force);
  for (int64_t i = 0; i < 3 * m->points; i++)
    worst = fmax(worst, fabs(force[i]));
  free(place);
  free(force);
  free(u);
  return worst / bump;
}

int main(int argc, char **argv) {
  struct options o = take_options(&argc, argv);
  const char *usage = "NX NY NZ STEPS [--out FILE] [--verify]";
  struct mesh m;
  memset(&m, 0, sizeof m);
  m.nx = number(argc == 5 ? argv[1] : "", 1, 1000, usage);
  m.ny = number(argv[2], 1, 1000, usage);
  m.nz = number(argv[3], 3, 1000, usage);
  int64_t steps = number(argv[4], 1, 1000000, usage);
  make_mesh(&m);
  size_t bytes = (size_t)(3 * m.points) * sizeof(double);
  struct field w = {need(malloc(bytes)), need(malloc(bytes)),
                    need(malloc(bytes))};
  start(&m, &w);
  int status = 0;
  if (o.verify)
    status = judge("force of a rigid rotation against the bump's",
                   rotation_force(&m, &w), 1e-10);
  double kinetic, before = energy(&m, &w, &kinetic);
  for (int64_t s = 0; s < steps; s++)
    step(&m, &w);
  double after = energy(&m, &w, &kinetic);
  printf("%lld elements, %lld points, %lld steps: energy %.12e, kinetic %.6e\n",
         (long long)m.elements, (long long)m.points, (long long)steps, after,
         kinetic);
  if (o.verify) {
    status |=
        judge("drift of the energy", fabs(after - before) / before, 1e-12);
    status |= judge("motion against none", kinetic > 0 ? 0 : 1, 0);
  }
  if (o.out)
    write_out(o.out, w.u, bytes);
  free(w.a);
  free(w.v);
  free(w.u);
  free_mesh(&m);
  return status;
}
