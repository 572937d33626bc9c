"""What an answer must be: findings, failure kinds, schema, constraints, contracts, verdicts, feedback."""

from .constraint import ContentConstraint as ContentConstraint
from .context import CheckContext as CheckContext
from .contract import Contract as Contract
