"""What people say that outlives the hour: their own sentences, found again and kept whole; what a call has to do with
them; when an agent is reminded of them. Pure."""
