"""In which order models are asked for a task."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ...errors import UsageError
from .matrix import Cell, Matrix

_UNSEEN = Cell()


def fallback_order(
    task: str,
    models: Sequence[str],
    matrix: Matrix,
    *,
    explore: float = 0.0,
    max_age_s: float | None = None,
    now: float | None = None,
    chance: Callable[[], float] = random.random,
) -> list[str]:
    """Return the models to ask, in the given order, without those that failed the task.

    Where all of them failed, the one with the best share of good answers stays: the order is never empty.

    Args:
        task: the task's name.
        models: all models, the preferred one first.
        matrix: what they did so far.
        explore: share of calls, from 0 to 1, in which a model that failed is asked first all the same: models change.
        max_age_s: seconds after which a failure no longer counts; None for never. Needs `now`.
        now: seconds since 1970.
        chance: returns a number from 0 to below 1.

    Raises:
        UsageError: no model, a share that is none, an age without `now`.
    """
    if not models:
        raise UsageError(f"no model for {task}: got an empty list; name at least one")
    if not 0 <= explore <= 1:
        raise UsageError(f"wrong share to explore: got {explore}; give a number from 0 to 1")
    if max_age_s is not None and now is None:
        raise UsageError("wrong age: got max_age_s without now; give both")
    cells = {model: matrix.get(model, {}).get(task, _UNSEEN) for model in models}
    bad = [model for model in models if cells[model].is_bad(now, max_age_s)]
    order = [model for model in models if model not in bad]
    if not order:
        order = [max(bad, key=lambda model: cells[model].interval)]  # the first of equals
        bad.remove(order[0])
    if bad and explore and chance() < explore:
        order.insert(0, bad[int(chance() * len(bad))])
    return order
