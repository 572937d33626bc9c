"""`planguard check`: cassettes, answers and plan files judged without running the app."""
