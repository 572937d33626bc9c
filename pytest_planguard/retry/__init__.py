"""Whether retries converge: links between exchanges, what a retry carried, the judgement, the driven loop."""

from .judgement import Judgement, judge

__all__ = ["Judgement", "judge"]
