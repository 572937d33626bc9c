"""`python -m pytest_planguard` runs the command `planguard`, for installations without its script on the path."""

from .cli.main import main

if __name__ == "__main__":
    main()
