"""recording_hook.py FILE REPLY SECONDS: a hook that notes what it was sent, waits, and prints the reply."""

import os
import sys
import time

_, file, reply, seconds = sys.argv
sent = sys.stdin.buffer.read().replace(b"\n", b" ") + b"\n"
handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
os.write(handle, sent)  # at once, because hooks of several calls run at the same time
time.sleep(float(seconds))
sys.stdout.write(reply)
