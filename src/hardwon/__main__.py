"""`python -m hardwon`, for when the command is not on the path."""

from hardwon.surfaces.cli import main

main()
