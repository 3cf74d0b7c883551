"""fit - trained functions, and their errors on other programs

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Knows: the three functions of profiles/models (Complete.h, Correlated.h), the
scikit-learn estimator for each, and how to write it as model.json
(profiles/format/ModelFile.h). Cross-validation leaves out whole programs, never
single rows, because the rows of one program are similar.
"""
import warnings

import numpy
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler

EVENTS = ["stall_share", "overlap", "write_share", "lines_per_us",
          "latency_ratio", "slow_bandwidth", "fast_bandwidth"]
# Digits in a model file: sufficient for 1e-9, and reproducible from the same
# rows.
DIGITS = 12


def number(x):
    return float("%.*g" % (DIGITS, x))


def numbers(xs):
    return [number(x) for x in xs]


class Complete:
    """The logarithm of fast_s / slow_s from events: minimises relative errors."""
    predicts = "log_fast_to_slow"
    low, high = -5.0, 0.5

    def rows(self, rows):
        # It does not depend on the placement: one row per task.
        seen, out = set(), []
        for r in rows:
            key = (r["program"], r["machine"], r["phase"], r["task"])
            if key not in seen:
                seen.add(key)
                out.append(r)
        return out

    def inputs(self):
        return list(EVENTS)

    def x(self, rows):
        return numpy.array([[r["events"][e] for e in EVENTS] for r in rows])

    def y(self, rows):
        return numpy.log([r["fast_s"] / r["slow_s"] for r in rows])

    def weights(self, rows):
        return numpy.ones(len(rows))

    def errors(self, rows, y):
        """Relative errors of seconds."""
        y = numpy.exp(numpy.clip(y, self.low, self.high))
        true = numpy.array([r["fast_s"] for r in rows])
        return numpy.abs(y * numpy.array([r["slow_s"] for r in rows]) / true - 1)


class GapLeft:
    """The share of the gap between the complete placements that is left."""
    predicts = "gap_left"
    low, high = 0.0, 1.0

    def rows(self, rows):
        # If both placements take the same time, there is nothing to learn.
        return [r for r in rows if r["slow_s"] > 1.02 * r["fast_s"]]

    def inputs(self):
        return EVENTS + ["fast_share"]

    def x(self, rows):
        return numpy.array([[r["events"][e] for e in EVENTS] + [r["fast_share"]]
                            for r in rows])

    def y(self, rows):
        return numpy.array([(r["seconds"] - r["fast_s"]) / (r["slow_s"] - r["fast_s"])
                            for r in rows])

    def weights(self, rows):
        # Turns the squared error of the share into a relative one of the
        # seconds.
        return numpy.array([((r["slow_s"] - r["fast_s"]) / r["seconds"]) ** 2 for r in rows])

    def errors(self, rows, y):
        y = numpy.clip(y, self.low, self.high)
        fast = numpy.array([r["fast_s"] for r in rows])
        slow = numpy.array([r["slow_s"] for r in rows])
        true = numpy.array([r["seconds"] for r in rows])
        return numpy.abs((fast + (slow - fast) * y) / true - 1)


class Linear:
    def fit(self, x, y, weights):
        self.model = LinearRegression().fit(x, y, weights)
        return self

    def predict(self, x):
        return self.model.predict(x)

    def document(self):
        return {"linear": {"bias": number(self.model.intercept_),
                           "weights": numbers(self.model.coef_)}}


class Network:
    def __init__(self, seed):
        self.seed = seed

    def fit(self, x, y, weights):
        # All weights are 1 here; the estimator does not support any.
        self.scaler = StandardScaler().fit(x)
        # A constant column would divide by 0.
        self.scaler.scale_[self.scaler.scale_ == 0] = 1
        self.model = MLPRegressor((16, 16), alpha=1e-2, solver="lbfgs", max_iter=400,
                                  random_state=self.seed)
        with warnings.catch_warnings():
            # Early stopping is intended: it avoids fitting noise.
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.model.fit(self.scaler.transform(x), y)
        return self

    def predict(self, x):
        return self.model.predict(self.scaler.transform(x))

    def document(self):
        return {"network": {
            "mean": numbers(self.scaler.mean_), "scale": numbers(self.scaler.scale_),
            "layers": [{"bias": numbers(b), "weights": [numbers(row) for row in w.T]}
                       for w, b in zip(self.model.coefs_, self.model.intercepts_)]}}


class Trees:
    """Gradient boosting; decreasing in the last input (share of fast lines)."""

    def __init__(self, seed):
        self.seed = seed

    def fit(self, x, y, weights):
        falls = [0] * (x.shape[1] - 1) + [-1]
        self.model = HistGradientBoostingRegressor(
            max_iter=200, max_leaf_nodes=16, learning_rate=0.08, min_samples_leaf=30,
            l2_regularization=1.0, monotonic_cst=falls, random_state=self.seed)
        self.model.fit(x, y, weights)
        return self

    def predict(self, x):
        return self.model.predict(x)

    def document(self):
        trees = []
        for (tree,) in self.model._predictors:
            n = tree.nodes
            leaf = n["is_leaf"].astype(bool)
            pick = lambda field, other: [other if l else int(v)
                                         for v, l in zip(n[field], leaf)]
            trees.append({"input": pick("feature_idx", -1),
                          # Exact: rows lie on thresholds.
                          "threshold": [0.0 if l else float(v)
                                        for v, l in zip(n["num_threshold"], leaf)],
                          "left": pick("left", 0), "right": pick("right", 0),
                          "value": [number(v) if l else 0.0
                                    for v, l in zip(n["value"], leaf)]})
        return {"trees": {"bias": number(float(self.model._baseline_prediction.ravel()[0])),
                          "trees": trees}}


def models(seed):
    return {"regression": (Complete(), lambda: Linear()),
            "network": (Complete(), lambda: Network(seed)),
            "correlated": (GapLeft(), lambda: Trees(seed))}


def cross_validate(question, make, rows, groups, folds):
    """Relative errors of all rows, predicted by models trained without their group."""
    x, y, w = question.x(rows), question.y(rows), question.weights(rows)
    out = numpy.empty(len(rows))
    folds = min(folds, len(set(groups)))
    for train, test in GroupKFold(folds).split(x, y, groups):
        guess = make().fit(x[train], y[train], w[train]).predict(x[test])
        out[test] = question.errors([rows[i] for i in test], guess)
    return out
