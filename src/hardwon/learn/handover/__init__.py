"""From a session's events to what the next one must know. Pure: the same journal gives the same handover."""

from hardwon.learn.handover.derive import Session, of_events

__all__ = ["Session", "of_events"]
