"""`python -m memstation`. It must do nothing but call the program's entry."""

from __future__ import annotations

from memstation.cli import main

if __name__ == "__main__":
    main()
