"""The project's own sets by name: what is tuned on, what is taught by, and what is reported."""

from __future__ import annotations

SHORT = tuple(f"short_{number}" for number in range(1, 9))
LONG = tuple(f"long_{number}" for number in range(1, 7))
AMENDED = tuple(f"amended_{number}" for number in range(1, 5))
TALKS = ("more_a", "more_b", "long_tuning", *SHORT, *LONG, *AMENDED)
"""More decisions and amended ones to tune on, in other projects, worded otherwise, each by another hand."""
EVERYDAY = tuple(f"talks_{number}" for number in range(1, 22))
CHANGED = tuple(f"talks_{number}" for number in range(22, 25))
TAUGHT = (*TALKS, *EVERYDAY, *CHANGED)
"""And more of these, by still others, by which the packaged model is taught; the last three have amended decisions
alone."""
FIRST_HALF, SECOND_HALF = ("tuning", *TAUGHT)[::2], ("tuning", *TAUGHT)[1::2]
"""All of these."""
FURTHER = tuple(f"talks_{number}" for number in (*range(25, 49), *range(53, 59)))
FURTHER_CHANGED = tuple(f"talks_{number}" for number in range(49, 53))
UNSEEN = (*FURTHER, *FURTHER_CHANGED)
"""And more, by still others, to another brief; the model was not taught by them. The judges that look at meaning learn
from these by the model of every day, from the second half of the others by one that was taught on the first, and from
the first by one that was not taught: they would trust one too much that knows the answers."""
JUDGED = (*TAUGHT, *UNSEEN)
"""All by which judges are taught."""
TICKETS = tuple(f"tickets_{number}" for number in range(1, 13))
"""And more, by six others: rules that were settled and openly amended, asked for by tickets that only tell symptoms.
Nothing is taught by them: which turn decides is said otherwise there, and it cost the other sets as much as it gave."""
NEAR = ("near_a", "near_b", "near_c", "near_d", "near_e")
"""More prompts that look like notes, each set of another project and by another hand."""
MORE = (*JUDGED, *TICKETS, *NEAR)
LONG_REPORTING = "long_reporting"
"""Decisions and amended ones to report on, in talks as long as those with coding agents are."""
FRESH_REPORTING = "fresh_reporting"
"""The same in short and long talks of eight projects, by four other hands, written when the weights were fitted."""
FRESH_REPORTING_2 = "fresh_reporting_2"
"""The same once more, by four others, written when the judges were taught, and frozen before it was measured."""
FRESH_REPORTING_3 = "fresh_reporting_3"
"""And once more, written while the model was taught."""
FRESH_REPORTING_4 = "fresh_reporting_4"
"""And once more, written when all that was taught."""
FRESH_REPORTING_5 = "fresh_reporting_5"
"""And once more, written while all that was taught anew, on more sets."""
FRESH = (FRESH_REPORTING, FRESH_REPORTING_2, FRESH_REPORTING_3, FRESH_REPORTING_4, FRESH_REPORTING_5)
TICKETS_REPORTING = "tickets_reporting"
"""Tickets to report on, about four projects by two other hands, frozen before they were measured."""
NEAR_REPORTING = ("near_reporting_1", "near_reporting_2", "near_reporting_3")
"""More near misses to report on, each of another project and by another hand, frozen before they were measured."""
REPORTED = (LONG_REPORTING, *FRESH, TICKETS_REPORTING, *NEAR_REPORTING)
"""All that is reported beside the half that was written first."""
