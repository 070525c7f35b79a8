"""`python -m hardwon`, for when the command is not on the path."""

import sys

from hardwon.surfaces.cli import main

sys.exit(main())
