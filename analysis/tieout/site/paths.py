"""Paths of a drawing told in fewer characters: the same points, exactly, each from the one before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from xml.etree import ElementTree as ET

TOKEN = re.compile(r"([MLHVCSAZhvlcsaz])|(-?(?:\d+\.?\d*|\.\d+))")
PARAMETERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}
MOVED = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")
CIRCLE = re.compile(r"M(?P<r>[\d.]+),0A(?P=r),(?P=r),0,1,1,-(?P=r),0A(?P=r),(?P=r),0,1,1,(?P=r),0")

Point = tuple[Decimal, Decimal]
ORIGIN: Point = (Decimal(0), Decimal(0))


@dataclass(frozen=True, slots=True)
class Segment:
    """One command of a path with its numbers in the path's own coordinates, and the point that it leads to."""

    command: str
    numbers: tuple[Decimal, ...]
    end: Point


def placed(part: ET.Element) -> None:
    """A text, a path or a line with its place as its own coordinates instead of a translation.

    Lines become paths, and a path that is a circle becomes one. What is moved in any other way, or written in another
    form than Vega's, stays as it is.
    """
    transform = part.get("transform")
    moved = MOVED.fullmatch(transform or "")
    if transform and not moved:
        if part.tag == "path":
            part.set("d", told(part.get("d", "")))
        return
    by: Point = (Decimal(moved[1]), Decimal(moved[2])) if moved else ORIGIN
    if part.tag == "text":
        if not moved or "x" in part.attrib or "y" in part.attrib:
            return
        part.attrib.update(x=moved[1], y=moved[2])
    elif part.tag == "path" and (circle := CIRCLE.fullmatch(part.get("d", ""))):
        part.tag = "circle"
        del part.attrib["d"]
        part.set("r", circle["r"])
        if moved:
            part.attrib.update(cx=moved[1], cy=moved[2])
    elif part.tag == "line":
        start = tuple(Decimal(part.attrib.pop(name, "0")) for name in ("x1", "y1"))
        end = tuple(Decimal(part.attrib.pop(name, "0")) for name in ("x2", "y2"))
        part.tag = "path"
        part.set("d", told(f"M{start[0]},{start[1]}L{end[0]},{end[1]}", by))
    elif part.tag == "path":
        try:
            part.set("d", told(part.get("d", ""), by))
        except ValueError:  # of a form that Vega does not write: it is drawn as well where it is
            return
    else:
        return
    part.attrib.pop("transform", None)


def told(path: str, by: Point = ORIGIN) -> str:
    """A path, moved by so much, with each point told from the one before it; exact, in decimals.

    A path with commands that Vega does not write, or numbers that are no decimals, is given back as it is where it
    need not be moved. Raises ValueError where it need.
    """
    try:
        segments = list(_segments(path))
    except ValueError:
        if by != ORIGIN:
            raise
        return path
    text = ""
    at, last = ORIGIN, ""
    mirrored: Point | None = (
        None  # where a curve that goes on smoothly has its first handle, told from its start
    )
    for segment in segments:
        command, numbers = _relative(segment, at, by)
        if command == "c":
            numbers = numbers[2:] if tuple(numbers[:2]) == mirrored else numbers
            command = "c" if len(numbers) == PARAMETERS["C"] else "s"
            mirrored = (numbers[-2] - numbers[-4], numbers[-1] - numbers[-3])
        else:
            mirrored = None
        text += _joined(command if command != last or command in "mMzZ" else "", numbers, text)
        at, last = segment.end, command
    return text


def _segments(path: str) -> Iterator[Segment]:
    at = start = ORIGIN
    handle: Point | None = None
    for command, numbers in _commands(path):
        upper = command.upper()
        base = at if command.islower() else ORIGIN
        if upper == "Z":
            at, handle = start, None
            yield Segment("Z", (), at)
            continue
        if upper == "H":
            numbers = (numbers[0] + base[0], at[1])
        elif upper == "V":
            numbers = (at[0], numbers[0] + base[1])
        elif upper == "A":
            numbers = (*numbers[:5], numbers[5] + base[0], numbers[6] + base[1])
        else:
            numbers = tuple(number + base[index % 2] for index, number in enumerate(numbers))
        if upper == "S":  # its first handle mirrors the last one of the curve before it
            numbers, upper = (*_mirror(handle, at), *numbers), "C"
        handle = (numbers[-4], numbers[-3]) if upper == "C" else None
        at = (numbers[-2], numbers[-1])
        start = at if upper == "M" else start
        yield Segment("L" if upper in "HV" else upper, numbers, at)


def _mirror(handle: Point | None, at: Point) -> Point:
    return (2 * at[0] - handle[0], 2 * at[1] - handle[1]) if handle else at


def _commands(path: str) -> Iterator[tuple[str, tuple[Decimal, ...]]]:
    """Each command with its numbers; a command's letter is not repeated where its numbers are."""
    tokens: list[str] = []
    place = 0
    for match in TOKEN.finditer(path):
        if path[place : match.start()].strip(" ,"):
            raise ValueError(f"the path holds {path[place : match.start()]!r}")
        tokens.append(match[0])
        place = match.end()
    if path[place:].strip(" ,"):
        raise ValueError(f"the path holds {path[place:]!r}")
    index = 0
    command = ""
    while index < len(tokens):
        if tokens[index].isalpha():
            command = tokens[index]
            index += 1
        elif command in "MmZz":
            raise ValueError(f"{tokens[index]} follows {command!r}")
        count = PARAMETERS[command.upper()]
        yield command, tuple(Decimal(token) for token in tokens[index : index + count])
        index += count


def _relative(segment: Segment, at: Point, by: Point) -> tuple[str, Sequence[Decimal]]:
    numbers = segment.numbers
    if segment.command == "Z":
        return "z", ()
    if segment.command == "M":
        return "M", (numbers[0] + by[0], numbers[1] + by[1])
    if segment.command == "A":
        return "a", (*numbers[:5], numbers[5] - at[0], numbers[6] - at[1])
    moves = [number - at[index % 2] for index, number in enumerate(numbers)]
    if segment.command == "L":
        if not moves[1]:
            return "h", moves[:1]
        if not moves[0]:
            return "v", moves[1:]
    return segment.command.lower(), moves


def _joined(command: str, numbers: Sequence[Decimal], before: str) -> str:
    """A command after what stands before it; a space stands only where two numbers would else be read as one."""
    text = command
    for number in numbers:
        shown = f"{number.normalize():f}" if number else "0"
        shown = shown.replace("0.", ".", 1) if shown.lstrip("-").startswith("0.") else shown
        previous = (text or before)[-1:]
        open_ended = previous.isdigit() or previous == "."
        if open_ended and not (
            shown.startswith("-") or (shown.startswith(".") and "." in _last(text or before))
        ):
            text += " "
        text += shown
    return text


def _last(text: str) -> str:
    """The number at the end of a text."""
    found = re.search(r"(?:\d+\.?\d*|\.\d+)$", text)
    return found[0] if found else ""
