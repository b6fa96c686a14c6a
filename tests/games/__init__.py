"""Fixture games: three small ones that keep the contract honest before the big games come.

`sealed`   simultaneous choices, hidden as a whole, shown to those who are done
`duel`     an auction, an attack, the defender's answer, re-rolls; all by reacting seats
`journey`  take-backs, rash moves, several lines in one entry, a hidden pile
"""
