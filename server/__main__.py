"""Makes `python -m server` the command `heartline`."""

from server.cli import main

if __name__ == "__main__":
    main()
