"""One process per home that answers hooks and keeps what they bring."""
