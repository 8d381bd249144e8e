"""What a request may say: each kind of value checked and described in one place."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cirulla_ai.basics.errors import PortableError
from cirulla_ai.basics.numbers import given, whole, whole_number

__all__ = ["Anything", "Field", "FieldError", "Fields", "Flag", "ListOf", "OneOf", "Text", "Whole"]


class FieldError(PortableError, ValueError):
    """A field that is missing, unknown, or has a value that it does not take."""

    def __init__(self, field: str | None, message: str) -> None:
        super().__init__(message)
        self.field = field


class Field(ABC):
    """One kind of value: ``check`` gives it as it is used, ``schema`` is its JSON Schema."""

    help: str

    @abstractmethod
    def check(self, value: object, name: str) -> Any:
        """The value; raises FieldError, with the name, for what it does not take."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """What it takes, for machines."""

    def read(self, text: str, name: str) -> Any:
        """As ``check``, from the text of a query."""
        return self.check(text, name)

    def described(self) -> dict[str, Any]:
        """The schema with what it means."""
        return {**self.schema(), **({"description": self.help} if self.help else {})}


@dataclass(frozen=True)
class Text(Field):
    """A text of at most so many characters."""

    most: int
    help: str = ""

    def check(self, value: object, name: str) -> str:
        if not isinstance(value, str):
            raise FieldError(name, f"{name} {given(value)}: a text is needed")
        if len(value) > self.most:
            raise FieldError(name, f"{name}: {len(value)} characters; it takes {self.most}")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.most}


@dataclass(frozen=True)
class Whole(Field):
    """A whole number in a range.  One that other languages can't hold may come as text."""

    low: int
    high: int
    help: str = ""

    def check(self, value: object, name: str) -> int:
        try:
            if isinstance(value, str):
                return whole_number(value, self.low, self.high)
            return whole(value, self.low, self.high)
        except ValueError as error:
            raise FieldError(name, f"{name} {error}") from None

    def schema(self) -> dict[str, Any]:
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        if self.high < 2**53:
            return number
        return {"oneOf": [number, {"type": "string", "pattern": "^[0-9]{1,20}$"}]}


@dataclass(frozen=True)
class Flag(Field):
    """Yes or no; 1 or 0 in a query."""

    help: str = ""

    def check(self, value: object, name: str) -> bool:
        if not isinstance(value, bool):
            raise FieldError(name, f"{name} {given(value)}: true or false is needed")
        return value

    def read(self, text: str, name: str) -> bool:
        if text not in ("0", "1"):
            raise FieldError(name, f"{name} {given(text)}: 1 or 0 is needed")
        return text == "1"

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True)
class OneOf(Field):
    """One of a few words."""

    words: tuple[str, ...]
    help: str = ""

    def check(self, value: object, name: str) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise FieldError(name, f"{name} {given(value)}: one of {', '.join(self.words)} is "
                             "needed")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}


@dataclass(frozen=True)
class ListOf(Field):
    """A list of at most so many of a kind."""

    item: Field
    most: int
    help: str = ""

    def check(self, value: object, name: str) -> list[Any]:
        if not isinstance(value, list):
            raise FieldError(name, f"{name} {given(value)}: a list is needed")
        if len(value) > self.most:
            raise FieldError(name, f"{name}: {len(value)} of them; it takes {self.most}")
        return [self.item.check(one, f"{name}[{k}]") for k, one in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "maxItems": self.most, "items": self.item.described()}


@dataclass(frozen=True)
class Anything(Field):
    """An object that its sender alone reads, of at most so many bytes as JSON."""

    most: int
    help: str = ""

    def check(self, value: object, name: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise FieldError(name, f"{name} {given(value)}: an object is needed")
        if (size := len(json.dumps(value))) > self.most:
            raise FieldError(name, f"{name}: {size} bytes; it takes {self.most}")
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


@dataclass(frozen=True)
class Fields(Field):
    """An object of these fields and no others; those ``needed`` must be there."""

    fields: Mapping[str, Field]
    needed: tuple[str, ...] = ()
    help: str = ""

    def check(self, value: object, name: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise FieldError(name or None, f"{name or 'the body'} {given(value)}: an object is "
                             "needed")
        prefix = f"{name}." if name else ""
        for key in value:
            if key not in self.fields:
                raise FieldError(f"{prefix}{key}", f"{prefix}{key}: there is no such field; there "
                                 f"are {', '.join(self.fields) or 'none'}")
        for key in self.needed:
            if key not in value:
                raise FieldError(f"{prefix}{key}", f"{prefix}{key} is needed")
        # null is as good as nothing.
        return {key: self.fields[key].check(one, f"{prefix}{key}")
                for key, one in value.items() if one is not None or key in self.needed}

    def schema(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "type": "object", "additionalProperties": False,
            "properties": {key: field.described() for key, field in self.fields.items()}}
        if self.needed:
            found["required"] = list(self.needed)
        return found
