"""The retry loops of real projects, judged against a scripted model: see README.md."""
