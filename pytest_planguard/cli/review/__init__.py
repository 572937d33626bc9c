"""`planguard review`: decide about snapshots and known failures, one by one."""
