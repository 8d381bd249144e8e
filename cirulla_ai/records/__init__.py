"""Smazzate as text that people read and programs read back: ``docs/records.md``.

A ``Record`` is the start of a smazzata, the actions played from it with what was said of
them, and tags such as the event and who sat where.  ``write_record`` and ``write_records``
give the text, ``read_records`` reads it, many records a file.
"""

from cirulla_ai.records.comment import Comment
from cirulla_ai.records.reader import read_records
from cirulla_ai.records.record import ENDINGS, MARKS, Forfeit, Ply, Record, Result
from cirulla_ai.records.text import RecordError
from cirulla_ai.records.writer import write_record, write_records

__all__ = [
    "ENDINGS",
    "MARKS",
    "Comment",
    "Forfeit",
    "Ply",
    "Record",
    "RecordError",
    "Result",
    "read_records",
    "write_record",
    "write_records",
]
