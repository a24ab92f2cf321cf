"""Objects of a JSON, JSON Lines or CSV file whose fields are asked for by type; what is wrong is gathered."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

from tieout import strict
from tieout.errors import Fault, Invalid

_ADVICE = "correct it where the file was made, then import again"


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """The text that an entry stands in; `line` gives the line of a JSON pointer, from 1."""

    file: str
    line: Callable[[str], int | None]
    faults: list[Fault]
    tabular: bool = False


class Entry:
    """An object of a file.

    Each method returns the field called `key` as the type that it names. A field that is missing or of another type is
    added to the faults of the source, and a value that means nothing stands in for it: whoever made the entries must
    call `finish` before anything is used.
    """

    def __init__(self, value: object, source: Source, pointer: str) -> None:
        self._source = source
        self._pointer = pointer
        self._value: dict[str, Any] = {}
        if isinstance(value, dict):
            self._value = value
        else:
            self._complain(pointer, "import-type", "an object", _shown(value))
            self._source = _quiet(source)

    def has(self, key: str) -> bool:
        """Whether the field is there, null included."""
        return key in self._value

    def fields(self) -> tuple[str, ...]:
        """The names of the fields, in the order of the file."""
        return tuple(self._value)

    def raw(self, key: str) -> object:
        """The field as it is, None where it is missing: to compare, not to keep."""
        return self._value.get(key)

    def text(self, key: str) -> str:
        """Text that is not empty."""
        value = self._get(key, "text", lambda value: isinstance(value, str) and value != "")
        return value if isinstance(value, str) else ""

    def prose(self, key: str) -> str:
        """Text that may be empty, to be measured and dropped: no receipt holds it."""
        value = self._get(key, "text", lambda value: isinstance(value, str))
        return value if isinstance(value, str) else ""

    def count(self, key: str) -> int:
        """A whole number from 0."""
        value = self._get(key, "a whole number from 0", lambda value: type(value) is int and value >= 0)
        return value if type(value) is int else 0

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self._get(key, "true or false", lambda value: isinstance(value, bool))
        return value is True

    def flag_or_null(self, key: str) -> bool | None:
        """True, false, or null, which is "not recorded"."""
        value = self._get(key, "true, false or null", lambda value: value is None or isinstance(value, bool))
        return value if isinstance(value, bool) else None

    def bit(self, key: str) -> bool:
        """A truth value written as 0 or 1."""
        value = self._get(key, "0 or 1", lambda value: type(value) is int and value in (0, 1))
        return value is not None and int(value) == 1

    def milliseconds(self, key: str) -> int:
        """Seconds, to whole milliseconds, half up."""
        value = self._get(key, "seconds from 0", lambda value: _is_number(value) and value >= 0)
        seconds = Decimal(value) if _is_number(value) else Decimal(0)
        return int((seconds * 1000).quantize(Decimal(1), rounding=ROUND_HALF_UP))

    def share_of(self, key: str, part: int, whole: int) -> None:
        """Check that the field is the share `part / whole`, as a binary64 would hold it."""
        value = self._get(key, "a number", _is_number)
        if whole and _is_number(value) and float(value) != float(Fraction(part, whole)):
            self.complain(
                key, "import-disagrees", f"{part}/{whole}, by the identifiers listed", _shown(value)
            )

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts that are not empty."""
        return tuple(self._list(key, "a list of texts", lambda value: isinstance(value, str) and value != ""))

    def text_lists(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A list of lists of texts."""

        def fits(value: object) -> bool:
            return isinstance(value, list) and all(isinstance(item, str) and item for item in value)

        return tuple(tuple(inner) for inner in self._list(key, "a list of lists of texts", fits))

    def flags(self, key: str) -> tuple[bool, ...]:
        """A list of truth values."""
        return tuple(self._list(key, "a list of true or false", lambda value: isinstance(value, bool)))

    def entry(self, key: str) -> Entry:
        """An object."""
        value = self._get(key, "an object", lambda value: isinstance(value, dict))
        if isinstance(value, dict):
            return Entry(value, self._source, self._below(key))
        return Entry({}, _quiet(self._source), self._below(key))

    def entries(self, key: str) -> list[Entry]:
        """A list of objects."""
        value = self._get(key, "a list of objects", lambda value: isinstance(value, list))
        items = value if isinstance(value, list) else []
        return [Entry(item, self._source, f"{self._below(key)}/{index}") for index, item in enumerate(items)]

    def same(self, key: str, value: object, other: object) -> None:
        """Add a fault where the field is there and its `value` is not the `other` that the record holds elsewhere."""
        if self.has(key) and value != other:
            self.complain(
                key, "import-disagrees", f"{_shown(other)}, as elsewhere in the record", _shown(value)
            )

    def complain(self, key: str, code: str, expected: str, found: str) -> None:
        """Add a fault about the field."""
        self._complain(self._below(key), code, expected, found, key)

    def _get(self, key: str, expected: str, fits: Callable[[Any], bool]) -> Any:
        if key not in self._value:
            self.complain(key, "import-field-missing", expected, "nothing")
        elif fits(value := self._value[key]):
            return value
        else:
            self.complain(key, "import-type", expected, _shown(value))
        return None

    def _list(self, key: str, expected: str, fits: Callable[[Any], bool]) -> list[Any]:
        value = self._get(key, expected, lambda value: isinstance(value, list) and all(map(fits, value)))
        return value if isinstance(value, list) else []

    def _below(self, key: str) -> str:
        return f"{self._pointer}/{strict.escape(key)}"

    def _complain(self, pointer: str, code: str, expected: str, found: str, key: str | None = None) -> None:
        self._source.faults.append(
            Fault(
                code=code,
                message=f"expected {expected}, found {found}; {_ADVICE}",
                file=self._source.file,
                row=self._source.line(pointer),
                column=key if self._source.tabular else None,
                pointer=None if self._source.tabular else pointer or None,
                expected=expected,
                found=found,
            )
        )


def finish(faults: list[Fault]) -> None:
    """Raise Invalid with everything that was gathered, each fault once, if anything was."""
    if faults:
        raise Invalid(list(dict.fromkeys(faults)))


def json_entries(content: bytes, file: str, faults: list[Fault]) -> list[Entry]:
    """The objects of a JSON list; raises Invalid where the file is no strict JSON."""
    document = strict.json_document(content, file)
    source = Source(file=file, line=document.line, faults=faults)
    if not isinstance(document.value, list):
        return [Entry(document.value, source, "")]
    return [Entry(item, source, f"/{index}") for index, item in enumerate(document.value)]


def json_entry(content: bytes, file: str, faults: list[Fault]) -> Entry:
    """The object that a JSON file is; raises Invalid where the file is no strict JSON."""
    document = strict.json_document(content, file)
    return Entry(document.value, Source(file=file, line=document.line, faults=faults), "")


def line_entries(content: bytes, file: str, faults: list[Fault]) -> list[Entry]:
    """The objects of a JSON Lines file; a line that is no strict JSON is a fault among the others."""
    entries = []
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            value = strict.load_json(line, file)
        except Invalid as error:
            faults.extend(replace(fault, row=number) for fault in error.faults)
        else:
            entries.append(Entry(value, Source(file=file, line=_always(number), faults=faults), ""))
    return entries


def table_entries(content: bytes, file: str, faults: list[Fault]) -> list[Entry]:
    """The rows of a CSV file with a header; a cell written as a whole number is one, any other is text.

    Raises Invalid where the file is no CSV in UTF-8, or names a column twice.
    """
    try:
        reader = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True)
        lines = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise Invalid(
            [Fault(code="import-csv", message=f"is no CSV in UTF-8: {error}", file=file)]
        ) from error
    header = lines[0][1] if lines else []
    if len(set(header)) != len(header):
        raise Invalid(
            [Fault(code="import-csv", message="names a column twice in its header", file=file, row=1)]
        )
    entries = []
    for number, row in lines[1:]:
        source = Source(file=file, line=_always(number), faults=faults, tabular=True)
        entry = Entry(dict(zip(header, map(_cell, row), strict=False)), source, "")
        if len(row) > len(header):
            entry.complain(header[-1], "import-row-length", f"{len(header)} cells", str(len(row)))
        entries.append(entry)
    return entries


def _quiet(source: Source) -> Source:
    # an object that is missing is one fault, not one more for each of its fields
    return replace(source, faults=[])


def _always(number: int) -> Callable[[str], int]:
    return lambda _: number


def _cell(text: str) -> str | int:
    return int(text) if re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", text) else text


def _is_number(value: object) -> bool:
    return type(value) is int or isinstance(value, Decimal)


def _shown(value: object) -> str:
    """A value as a message may show it: prose is cut short, containers are named."""
    match value:
        case dict():
            return "an object"
        case list():
            return f"a list of {len(value)}"
        case str():
            return repr(value if len(value) <= 40 else value[:39] + "…")
        case None | True | False:
            return {None: "null", True: "true", False: "false"}[value]
        case _:
            return str(value)
