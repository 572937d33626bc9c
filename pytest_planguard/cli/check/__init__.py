"""`planguard check`: recordings, answers and plan files judged without running the app."""
