"""How a person's prompt is read: their own sentences, what says that it works or that a test is meant to fail, and what
a decision is about."""
