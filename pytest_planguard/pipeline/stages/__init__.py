"""Stages of a pipeline that a command-line agent works through: run, judge its file, feed back, run again."""
