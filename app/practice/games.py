"""Matrix games: the mixture of choices that loses least against the best answer, by linear programming."""

import threading
from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

Real = npt.NDArray[np.float64]
CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Solved:
    """The value for the rows, and the mixtures of both sides."""

    value: float
    rows: Real
    columns: Real


class _Solvers(threading.local):
    """HiGHS keeps its last problem, so every thread has its own."""

    def __init__(self) -> None:
        self.highs = highspy.Highs()
        for option, value in (("output_flag", False), ("presolve", "off"), ("solver", "simplex"), ("threads", 1)):
            self.highs.setOptionValue(option, value)


_SOLVERS = _Solvers()


def solve(payoff: Real) -> Solved:
    """Solves a zero-sum game: rows maximise `payoff`, columns minimise it."""
    floors, ceilings = payoff.min(axis=1), payoff.max(axis=0)
    row, column = int(floors.argmax()), int(ceilings.argmin())
    rows, columns = np.zeros(payoff.shape[0]), np.zeros(payoff.shape[1])
    if ceilings[column] - floors[row] <= CLOSE:  # neither side gains by mixing
        rows[row] = columns[column] = 1.0
        return Solved(float(floors[row]), rows, columns)
    kept = _undominated(payoff)
    value, mine, theirs = _program(payoff[kept[0]][:, kept[1]])
    rows[kept[0]], columns[kept[1]] = mine, theirs
    return Solved(value, rows, columns)


def _undominated(payoff: Real) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The rows and columns left after removing dominated ones; of equal ones the first stays."""
    rows, columns = np.arange(payoff.shape[0]), np.arange(payoff.shape[1])
    while True:
        keep = _best(payoff)
        rows, payoff = rows[keep], payoff[keep]
        keep_columns = _best(-payoff.T)
        columns, payoff = columns[keep_columns], payoff[:, keep_columns]
        if keep.all() and keep_columns.all():
            return rows, columns


def _best(payoff: Real) -> npt.NDArray[np.bool_]:
    if len(payoff) == 1:
        return np.ones(1, dtype=np.bool_)
    beats = (payoff[:, None, :] >= payoff[None, :, :]).all(axis=2)  # i is never worse than j
    order = np.arange(len(payoff))
    strictly = beats & (~beats.T | (order[:, None] < order[None, :]))
    np.fill_diagonal(strictly, False)
    return np.logical_not(np.any(strictly, axis=0, keepdims=True))[0]


def _program(payoff: Real) -> tuple[float, Real, Real]:
    """The greatest v such that a mixture of the rows gets at least v against each column; its duals mix the columns."""
    m, n = payoff.shape
    matrix = np.empty((n + 1, m + 1))
    matrix[:n, :m], matrix[:n, m], matrix[n, :m], matrix[n, m] = payoff.T, -1.0, 1.0, 0.0
    last = np.zeros(m + 1)
    last[m] = 1.0
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = m + 1, n + 1
    program.sense_ = highspy.ObjSense.kMaximize
    program.col_cost_ = last
    program.col_lower_ = np.where(last > 0, -highspy.kHighsInf, 0.0)
    program.col_upper_ = np.full(m + 1, highspy.kHighsInf)
    program.row_lower_ = np.append(np.zeros(n), 1.0)
    program.row_upper_ = np.append(np.full(n, highspy.kHighsInf), 1.0)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.arange(0, (n + 1) * (m + 1) + 1, m + 1)
    program.a_matrix_.index_ = np.tile(np.arange(m + 1), n + 1)
    program.a_matrix_.value_ = matrix.ravel()
    highs = _SOLVERS.highs
    highs.passModel(program)
    highs.run()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        raise ArithmeticError(f"HiGHS left a game of {m} by {n} unsolved: {highs.getModelStatus()}")
    solution = highs.getSolution()
    return (
        float(highs.getInfo().objective_function_value),
        _mixture(np.array(solution.col_value)[:m]),
        _mixture(np.abs(np.array(solution.row_dual)[:n])),
    )


def _mixture(weights: Real) -> Real:
    """Probabilities, without the rounding errors."""
    clean = np.where(weights < CLOSE, 0.0, weights)
    return clean / clean.sum()
