"""`python -m tieout`: the command line, where its script is on no path."""

from __future__ import annotations

from tieout.cli import main

if __name__ == "__main__":
    main()
