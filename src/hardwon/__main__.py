"""`python -m hardwon`, for when the command is not on the path."""

from hardwon.cli import main

main()
