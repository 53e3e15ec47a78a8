from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any, Callable

import pytest

from conftest import until
from offstage import (
    Cancelled,
    DrawingWarning,
    InvalidRequest,
    Late,
    NotDrawn,
    Offstage,
    OffstageError,
    Request,
    Unavailable,
    Unreadable,
)
from offstage._child import Child

Fresh = Callable[..., Offstage]


def test_a_wrong_option(shared_offstage: Offstage) -> None:
    with pytest.raises(InvalidRequest) as caught:
        shared_offstage.render("<p>secret", id="row", colour="red")  # type: ignore[call-arg]
    error = caught.value
    assert (error.code, error.id, error.warnings) == ("invalid", "row", ())
    assert str(error) == f"row: {error.message}"
    assert error.message.startswith('there is no key "colour"')
    assert "secret" not in str(error)


def test_an_empty_document_is_named_by_its_id_alone(shared_offstage: Offstage) -> None:
    for id, start in (("row", "row: "), (None, "")):
        with pytest.raises(Unreadable) as caught:
            shared_offstage.render(" ", id=id)
        assert str(caught.value) == f"{start}the document is empty; there is nothing to draw"


@pytest.mark.parametrize("options", [{"scale": 9}, {"width": 0}, {"format": "bmp"}, {"priority": "urgent"}, {"deadline": -1}])
def test_a_wrong_value(shared_offstage: Offstage, options: "dict[str, object]") -> None:
    with pytest.raises(InvalidRequest, match=next(iter(options))):
        shared_offstage.render("<p>", **options)  # type: ignore[arg-type]


def test_what_is_no_json(shared_offstage: Offstage) -> None:
    with pytest.raises(InvalidRequest, match="surrogate"):
        shared_offstage.render("<p>\ud800", id="half")
    with pytest.raises(InvalidRequest, match="JSON"):
        shared_offstage.render("<p>", scale=float("nan"))
    with pytest.raises(TypeError, match="html takes text, not bytes"):
        shared_offstage.render(b"<p>")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="background cannot be object"):
        shared_offstage.render("<p>", background=object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="either html or a file"):
        Request()
    assert shared_offstage.render("<p>still there").width == 200


def test_a_file_that_is_not_there(shared_offstage: Offstage, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="nowhere.html") as caught:
        shared_offstage.render_file(tmp_path / "nowhere.html", id="nowhere")
    assert caught.value.id == "nowhere"


def test_a_document_over_a_limit(fresh: Fresh) -> None:
    offstage = fresh(arguments=["--max-side=100"])
    with pytest.raises(NotDrawn, match="max-side|100") as caught:
        offstage.render("<p>secret", width=200)
    assert caught.value.code == "not-drawn" and "secret" not in str(caught.value)
    assert offstage.render("<p>", width=90).width == 90


def test_no_program(fresh: Fresh) -> None:
    with pytest.raises(Unavailable, match="there is no program offstage-of-nobody"):
        fresh(program="offstage-of-nobody").render("<p>")


def test_the_program_of_the_environment(fresh: Fresh, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFSTAGE", "/nowhere/offstage")
    with pytest.raises(Unavailable, match="/nowhere/offstage"):
        fresh().render("<p>")


def test_another_program(fresh: Fresh, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\nread line; echo hello; exec sleep 60")
    other.chmod(0o755)
    with pytest.raises(Unavailable, match="SIGKILL"):
        fresh(program=other).render("<p>")
    other.write_text("#!/bin/sh\necho it broke >&2; exit 7")
    with pytest.raises(Unavailable, match="ended with status 7 before it had answered: it broke"):
        fresh(program=other).render("<p>")


def test_a_wrong_argument(fresh: Fresh) -> None:
    offstage = fresh(arguments=["--jobs=none"])
    for _ in range(2):  # Every start fails in the same way.
        with pytest.raises(InvalidRequest, match="jobs"):
            offstage.render("<p>")


def test_a_program_that_ends_before_it_is_used(fresh: Fresh, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*arguments: Any) -> Child:
        child = Child(*arguments)
        until(lambda: child.has_ended)
        return child

    monkeypatch.setattr("offstage._feeder.Child", start)
    offstage = fresh(program="false")
    for _ in range(2):
        with pytest.raises(Unavailable, match="ended with status 1"):
            offstage.submit("<p>").result(20)


def test_deadlines(fresh: Fresh) -> None:
    offstage = fresh(limit=1)
    with offstage.suspend():
        with pytest.raises(Late, match=r"not drawn within its deadline of 0\.2 s; raise it"):
            offstage.render("<p>with the program", id="1", deadline=0.2)
        in_time = offstage.submit("<p>it has the only place", id="2", deadline=60)
        with pytest.raises(Late, match=r"3: not drawn within its deadline of 0\.1 s; raise it"):
            offstage.submit("<p>it waits for a place", id="3", deadline=0.1).result(20)
    assert in_time.result(20).id == "2"


def test_nothing_after_the_end(fresh: Fresh) -> None:
    offstage = fresh()
    offstage.render("<p>")
    offstage.close()
    with pytest.raises(Unavailable, match="closed"):
        offstage.render("<p>")
    offstage.close()


def test_the_end_waits_for_what_was_asked(fresh: Fresh) -> None:
    with fresh(limit=2) as offstage:
        futures = [offstage.submit(f"<p>{number}") for number in range(8)]
        offstage.suspend()  # Closing does not wait for the suspension to end.
    assert [future.result(0).width for future in futures] == [200] * 8


def test_leaving_with_an_exception_withdraws(fresh: Fresh) -> None:
    with pytest.raises(ZeroDivisionError):
        with fresh(limit=2) as offstage:
            offstage.suspend()
            futures = [offstage.submit(f"<p>{number}", id=str(number)) for number in range(4)]
            raise ZeroDivisionError
    for future in futures:
        with pytest.raises(Cancelled):
            future.result(0)


def test_errors_can_be_pickled() -> None:
    error = NotDrawn("why", id="a", warnings=[DrawingWarning("deadline", "x", "late")])
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is NotDrawn and isinstance(copy, OffstageError)
    assert (str(copy), copy.id, copy.warnings) == (str(error), "a", error.warnings)
