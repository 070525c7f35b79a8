"""A process that has the everyday verbs loaded while a daemon runs, and runs them for a command that asks.

Nearly all of a command's time is loading. `client.py` is what the command does first; `__main__.py` is the process,
which the daemon starts when a command found none, and which leaves with it; `peer.py` looks at who asks.
"""
