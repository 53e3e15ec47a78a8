from __future__ import annotations

from typing import Callable, Iterator, List, Union

import pytest

from conftest import assert_is_png, until
from offstage import Cancelled, InvalidRequest, Offstage, OffstageError, Picture, Request

Fresh = Callable[..., Offstage]


def rows(count: int) -> Iterator[Request]:
    """Requests with different widths, so that the test notices if two pictures are swapped."""
    for number in range(count):
        yield Request(f"<p>Row {number}", id=f"row/{number}", width=100 + number)


def test_a_thousand_rows_in_order(fresh: Fresh) -> None:
    pictures = list(fresh().render_many(rows(1000)))
    assert [picture.id for picture in pictures] == [f"row/{number}" for number in range(1000)]
    assert [picture.width for picture in pictures] == [100 + number for number in range(1000)]
    for picture in pictures[::50]:
        assert_is_png(picture)


def test_as_they_are_ready(fresh: Fresh) -> None:
    pictures = list(fresh().render_many(rows(60), ordered=False))
    assert {picture.id: picture.width for picture in pictures} == {f"row/{number}": 100 + number for number in range(60)}


def test_the_quick_do_not_wait_for_the_slow(fresh: Fresh) -> None:
    offstage = fresh(jobs=1)
    with offstage.suspend():
        some = offstage.render_many([Request("<p>1", id="1"), Request("<p>2", id="2", immediate=True)], ordered=False)
        assert next(some).id == "2"
    assert next(some).id == "1"


@pytest.mark.parametrize("ordered", [True, False])
def test_no_more_is_taken_than_may_be_ahead(fresh: Fresh, ordered: bool) -> None:
    taken = 0

    def counted() -> Iterator[Request]:
        nonlocal taken
        for row in rows(40):
            taken += 1
            yield row

    pictures = fresh(limit=5).render_many(counted(), ordered=ordered)
    assert taken == 0
    for used, _ in enumerate(pictures):
        assert taken <= used + 5, "so many are ahead, not more"
    assert taken == 40


def test_what_is_ready_does_not_wait_for_the_next_item(fresh: Fresh) -> None:
    offstage = fresh()
    seen: List[str] = []

    def slow() -> Iterator[Request]:
        yield Request("<p>1", id="1")
        until(lambda: offstage.stats().drawn == 1 and offstage.stats().under_way == 0)
        yield Request("<p>2", id="2")
        # The caller has the first picture before it takes the third item.
        assert seen == ["1"]
        yield Request("<p>3", id="3")

    for picture in offstage.render_many(slow()):
        seen.append(str(picture.id))
    assert seen == ["1", "2", "3"]


def with_a_wrong_one() -> List[Request]:
    items = list(rows(5))
    items[2] = Request("<p>", id="wrong", width=-1)
    return items


def test_an_error_ends_it(fresh: Fresh) -> None:
    offstage = fresh()
    pictures = offstage.render_many(with_a_wrong_one())
    assert [next(pictures).id, next(pictures).id] == ["row/0", "row/1"]
    with pytest.raises(InvalidRequest) as caught:
        next(pictures)
    assert caught.value.id == "wrong"
    assert list(pictures) == []


def test_an_error_in_a_pictures_place(fresh: Fresh) -> None:
    outcomes: List[Union[Picture, OffstageError]] = list(fresh().render_many(with_a_wrong_one(), errors="return"))
    assert [outcome.id for outcome in outcomes] == ["row/0", "row/1", "wrong", "row/3", "row/4"]
    assert [isinstance(outcome, OffstageError) for outcome in outcomes] == [False, False, True, False, False]


def test_leaving_early_withdraws_the_rest(fresh: Fresh) -> None:
    offstage = fresh(jobs=1)
    pictures = offstage.render_many(rows(300))
    next(pictures)
    with offstage.suspend():
        assert offstage.stats().under_way > 10
        del pictures
        until(lambda: offstage.stats().under_way == 0)


def test_whoever_makes_the_items_may_fail(fresh: Fresh) -> None:
    def broken() -> Iterator[Request]:
        yield Request("<p>", id="1", priority="low")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(fresh().render_many(broken()))


def test_options_for_all_items(fresh: Fresh) -> None:
    pictures = fresh().render_many(["<p>1", Request("<p>2", width=150)], width=140, scale=2)
    assert [picture.width for picture in pictures] == [280, 300]


def test_priorities(fresh: Fresh) -> None:
    """Changes the priority of a request that the program has, and of one that still waits in this process."""
    offstage = fresh(limit=3, jobs=1)
    finished: List[str] = []
    with offstage.suspend():
        futures = [offstage.submit("<p>", id=name, width=100 + number) for number, name in enumerate("abcdefg")]
        for name, future in zip("abcdefg", futures):
            future.add_done_callback(lambda future, name=name: finished.append(name))  # type: ignore[misc]
        until(lambda: offstage.stats().under_way == 3)
        assert offstage.reprioritise("high", id="c") == 1
        assert offstage.reprioritise("very-high", id="g") == 1
        assert offstage.reprioritise("low", prefix="nobody") == 0
    for future in futures:
        future.result(20)
    # Requests that the program starts when a slot becomes free have precedence over those sent later. Two that follow each other
    # may finish in the other order, because a picture is encoded while the next one is drawn.
    for drawn in ["cab", "gdef"]:
        order = [name for name in finished if name in drawn]
        assert all(abs(order.index(name) - turn) <= 1 for turn, name in enumerate(drawn)), order


def test_withdrawing(fresh: Fresh) -> None:
    offstage = fresh(limit=2)
    with offstage.suspend():
        ids = ["list/1", "list/2", "list/3", "other", "last"]
        futures = [offstage.submit("<p>", id=id, group="even" if id == "other" else None) for id in ids]
        assert offstage.cancel(prefix="list/") == 3
        assert offstage.cancel(group="even") == 1
        for future in futures[:4]:
            with pytest.raises(Cancelled):
                future.result(20)
        with pytest.raises(TypeError, match="one of"):
            offstage.cancel()
    assert futures[4].result(20).id == "last"


def test_cancelled_futures_are_withdrawn(fresh: Fresh) -> None:
    offstage = fresh(limit=2)
    with offstage.suspend():
        futures = [offstage.submit(f"<p>{number}") for number in range(4)]
        until(lambda: offstage.stats().under_way == 2)
        assert futures[0].cancel() and futures[2].cancel()
    assert futures[1].result(20) and futures[3].result(20)
    assert offstage.stats().drawn == 2


def test_suspension(fresh: Fresh, shared_offstage: Offstage) -> None:
    shared_offstage.render("<p>from before", id="before")
    with shared_offstage.suspend() as outer:
        with shared_offstage.suspend():
            assert shared_offstage.stats().suspended
        assert shared_offstage.stats().suspended, "the other one still holds"
        assert shared_offstage.render("<p>from before", id="before").kept
        assert shared_offstage.render("<p>at once", immediate=True, store=False).width == 200
        outer.resume()
        assert not shared_offstage.stats().suspended
    with pytest.raises(InvalidRequest, match="seconds"):
        shared_offstage.suspend(-1)
    shared_offstage.suspend(0.05)
    assert shared_offstage.render("<p>after it ended by itself", refresh=True).width == 200


def test_prefetching(shared_offstage: Offstage) -> None:
    assert shared_offstage.prefetch("<p>soon", id="soon").result(20) is False
    assert shared_offstage.prefetch("<p>soon", id="soon").result(20) is True
    assert shared_offstage.render("<p>soon", id="soon").kept
    with pytest.raises(InvalidRequest, match="width"):
        shared_offstage.prefetch(Request("<p>", width=-1)).result(20)
