"""Rehearsal: what the program would have said in a person's own past, and what that would have been worth."""
