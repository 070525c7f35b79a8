import sys

from bench.replay.command import main

sys.exit(main(sys.argv[1:]))
