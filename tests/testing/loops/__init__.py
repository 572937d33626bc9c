"""Tests of scripted models and of the machine that proves a retry loop."""
