"""What a step is told when it is asked: the answers before it, and two channels of feedback."""
