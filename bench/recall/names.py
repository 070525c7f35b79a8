"""The project's own sets by name: what is reported. What was trained on is in the history (docs/model-card.md)."""

from __future__ import annotations

REPORTING = "reporting"
"""What was written first, with notes, Chinese and Japanese, and what is unrelated beside the talks."""
LONG_REPORTING = "long_reporting"
"""Decisions and amended ones in talks as long as those with coding agents are."""
FRESH = ("fresh_reporting", *(f"fresh_reporting_{number}" for number in range(2, 6)))
"""The same in short and long talks, each set of eight projects and by four other hands, the last one the tersest."""
TICKETS_REPORTING = "tickets_reporting"
"""Tickets, about four projects by two other hands."""
NEAR_REPORTING = ("near_reporting_1", "near_reporting_2", "near_reporting_3")
"""More prompts that look like notes, each set of another project and by another hand."""
TALKS = (LONG_REPORTING, *FRESH, TICKETS_REPORTING)
REPORTED = (REPORTING, *TALKS, *NEAR_REPORTING)
"""All of these, frozen before they were measured."""
