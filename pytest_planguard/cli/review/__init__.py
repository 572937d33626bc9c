"""`planguard review`: accept or reject changed snapshots and known failures, one at a time."""
