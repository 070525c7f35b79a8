"""Putting hardwon into a client, and taking it out so that nothing of it stays.

A client is a `Recipe`: which files hold what of ours. Everything else here knows no client: `entries` changes a text,
`manifest` remembers what was done, `setup` and `removal` plan and apply. Nothing is written before it can be shown.
"""
