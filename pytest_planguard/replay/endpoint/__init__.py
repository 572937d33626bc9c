"""The loopback endpoint. It replays or records requests of child processes and programs in other languages."""
