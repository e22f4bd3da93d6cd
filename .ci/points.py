"""The result of a match in which every opening is played twice."""

from __future__ import annotations

import math
import statistics


def share_with_error(points: list[float]) -> tuple[float, float]:
    """The share of the points, and half of its 95 % interval; infinite for a single pair.

    The two games of an opening aren't independent.
    """
    share = sum(points) / len(points)
    pairs = [sum(points[at : at + 2]) / 2 for at in range(0, len(points) - 1, 2)]
    if len(pairs) < 2:
        return share, math.inf
    return share, 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs))
