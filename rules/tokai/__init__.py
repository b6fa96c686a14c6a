"""Tokai Danshaku by 中浜隆逸 (Nakahama): railways around Nagoya, bought with what journeys pay.

`data/`, `atlas`, `network`  the map as files, read and checked, and as tables for fast search
`names`                      lines, stations and regions by whatever people call them
"""
