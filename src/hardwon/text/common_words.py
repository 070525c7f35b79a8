"""English words that stand everywhere, and so tell nothing about what a text is about."""

COMMON_WORDS = """
a about above after again all also am an and any are aren as at be because been before being below between both but
by can cannot could couldn d did didn do does doesn doing don done down during each else ever every few for from
further get gets getting give go going got had hadn has hasn have haven having he her here hers him his how i if in
into is isn it its itself just know let like ll m made make makes many may me might more most much must my need no
nor not now of off on once one only or other our out over own please put re s same say see shall she should shouldn
show so some such t take tell than that the their them then there these they thing this those through to too try
under until up us use used using ve very want was wasn way we well were weren what when where which while who whom
why will with won would wouldn yes yet you your
"""
