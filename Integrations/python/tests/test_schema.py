"""The package's types match the program's schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Literal, get_args, get_origin, get_type_hints

from offstage import OffstageError, Options, Request
from offstage.options import PRIORITIES, Path as AnyPath, Priority

SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"

# : Options that the package passes in other ways.
BY_OTHER_MEANS = {"id", "identifier", "html", "file", "output", "inline", "each"}


def schema(name: str) -> Dict[str, Any]:
    loaded: Dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    return loaded


def hints() -> Dict[str, Any]:
    return get_type_hints(Options, {**globals(), "Path": AnyPath})


def words_of(kind: Any) -> List[str]:
    """The literal strings that a type allows."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [word for argument in get_args(kind) for word in words_of(argument)]


def test_all_options_are_there() -> None:
    keys = set(schema("request")["properties"]) - BY_OTHER_MEANS
    assert {name.replace("_", "-") for name in hints()} == keys


def test_options_take_the_same_words() -> None:
    for name, property in schema("request")["properties"].items():
        if name in BY_OTHER_MEANS:
            continue
        allowed = [word for kind in property.get("anyOf", [property]) for word in kind.get("enum", [])]
        assert sorted(words_of(hints()[name.replace("-", "_")])) == sorted(allowed), name
    assert list(get_args(Priority)) == list(PRIORITIES)


def test_all_errors_have_a_class() -> None:
    codes = set(schema("result")["properties"]["code"]["enum"])
    # Pictures arrive through the pipe, not as files, so two of the codes never occur.
    kinds = OffstageError.__subclasses__()
    kinds += [kind for parent in kinds for kind in parent.__subclasses__()]
    assert {kind.code for kind in kinds} == codes - {"not-written", "superseded"}


def test_requests_are_valid(tmp_path: Path) -> None:
    import jsonschema

    validator = jsonschema.Draft202012Validator(schema("request"))
    full = Request(
        file=tmp_path / "a.html",
        id="a",
        width="fit",
        scale=1.5,
        css=[tmp_path],
        base=".",
        also="webp",
        priority="low",
        deadline=3,
    )
    for request in (full, Request("<p>", width=None, background=None, priority=None)):
        assert list(validator.iter_errors(dict(request.object({"height": 20}), id=1, inline=True))) == []
    assert list(validator.iter_errors(Request("<p>").object({"wrong": 1}))) != []
