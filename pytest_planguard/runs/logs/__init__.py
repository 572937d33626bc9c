"""Logs of production traffic judged: records read, tied in groups, judged group by group, and summed up."""
