"""The conformance kit: checks that every game must pass, as functions without a test framework.

`check_catalogue(game)` needs no play. `check_case(case, seeds)` plays random games and checks every
position and step. `check_worlds(case, seeds)` finds leaks, `check_flags(game, flags)` events that
declare `reveals` and reveal nothing. `cases(game)` lists the set-ups to play.
`check_lessons(game, lessons_of(package))` plays its lessons, and
`check_situations(case, situations_of(package), seeds)` looks for what its coach speaks of.
Every fault is a ConformanceError, which names the command that reproduces it:

    python -m bluebear.rules.core.conformance check KEY
    python -m bluebear.rules.core.conformance playthrough KEY seats=2 --first-seed 7
"""
