"""One run or one session: figures, rows, known failures, snapshots."""
