from __future__ import annotations

import asyncio
from typing import AsyncIterator, List, Union

import pytest

from offstage import AsyncOffstage, Cancelled, InvalidRequest, Late, OffstageError, Picture, Request


async def until_under_way(offstage: AsyncOffstage, count: int) -> None:
    async def look() -> None:
        while (await offstage.stats()).under_way != count:
            await asyncio.sleep(0)

    await asyncio.wait_for(look(), 20)


def test_pictures() -> None:
    async def draw() -> None:
        async with AsyncOffstage(cache=False, width=200) as offstage:
            picture = await offstage.render("<p>", id="one")
            assert (picture.width, picture.id) == (200, "one")
            widths = range(100, 140)
            pictures = await asyncio.gather(*(offstage.render(f"<p>{width}", width=width) for width in widths))
            assert [picture.width for picture in pictures] == list(widths)
            parts = await offstage.render_each("<b>a</b><b>b</b>", selector="b", id="part")
            assert [part.id for part in parts] == ["part-1", "part-2"]
            with pytest.raises(InvalidRequest):
                await offstage.render("<p>", width=-1)
            assert (await offstage.stats()).drawn >= 42

    asyncio.run(draw())


def test_many() -> None:
    taken = 0

    async def items() -> AsyncIterator[Request]:
        nonlocal taken
        for number in range(40):
            taken += 1
            yield Request(f"<p>{number}", id=str(number), width=-1 if number == 7 else 100 + number)

    async def draw() -> None:
        async with AsyncOffstage(cache=False, limit=5) as offstage:
            outcomes: List[Union[Picture, OffstageError]] = []
            async for outcome in offstage.render_many(items(), errors="return"):
                outcomes.append(outcome)
                assert taken <= len(outcomes) + 5
            assert [outcome.id for outcome in outcomes] == [str(number) for number in range(40)]
            assert [number for number, outcome in enumerate(outcomes) if not isinstance(outcome, Picture)] == [7]
            ready = [picture.id async for picture in offstage.render_many(map(str, range(9)), ordered=False, width=90)]
            assert len(ready) == 9
            with pytest.raises(InvalidRequest):
                async for _ in offstage.render_many(items()):
                    pass

    asyncio.run(draw())


def test_a_cancelled_task_withdraws_its_request() -> None:
    async def draw() -> None:
        async with AsyncOffstage(cache=False, limit=3) as offstage:
            async with offstage.suspend():
                tasks = [asyncio.ensure_future(offstage.render(f"<p>{number}", id=str(number))) for number in range(5)]
                await until_under_way(offstage, 3)
                for number in (0, 1, 4):
                    tasks[number].cancel()
                with pytest.raises(asyncio.CancelledError):
                    await tasks[0]
                await until_under_way(offstage, 2)
            assert [(await tasks[number]).id for number in (2, 3)] == ["2", "3"]
            assert (await offstage.stats()).drawn == 2

    asyncio.run(draw())


def test_time_limits() -> None:
    async def draw() -> None:
        async with AsyncOffstage(cache=False) as offstage:
            suspension = await offstage.suspend()
            with pytest.raises(Late):
                await offstage.render("<p>", deadline=0.05)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(offstage.render("<p>"), 0.05)
            await until_under_way(offstage, 0)
            waiting = asyncio.ensure_future(offstage.render("<p>", group="g"))
            await until_under_way(offstage, 1)
            assert offstage.cancel(group="g") == 1
            with pytest.raises(Cancelled):
                await waiting
            await suspension.resume()
            assert (await offstage.render("<p>")).width == 400

    asyncio.run(draw())


def test_the_loop_goes_on_meanwhile() -> None:
    """Neither a document of ten megabytes nor the program's start and end block the event loop for long."""

    async def draw() -> None:
        loop = asyncio.get_running_loop()
        longest, is_over = 0.0, False

        async def watch() -> None:
            nonlocal longest
            while not is_over:
                before = loop.time()
                await asyncio.sleep(0.001)
                longest = max(longest, loop.time() - before)

        watcher = asyncio.ensure_future(watch())
        async with AsyncOffstage(cache=False) as offstage:
            await offstage.render("<!-- " + "x" * 10_000_000 + " --><p>large")
        is_over = True
        await watcher
        assert longest < 0.5

    asyncio.run(draw())


def test_leaving_with_an_exception() -> None:
    async def draw() -> None:
        with pytest.raises(ZeroDivisionError):
            async with AsyncOffstage(cache=False) as offstage:
                await offstage.suspend()
                task = asyncio.ensure_future(offstage.render("<p>"))
                await until_under_way(offstage, 1)
                raise ZeroDivisionError
        with pytest.raises(Cancelled):
            await task

    asyncio.run(draw())


def test_one_for_several_loops() -> None:
    offstage = AsyncOffstage(cache=False)
    assert asyncio.run(offstage.render("<p>", width=100)).width == 100
    assert asyncio.run(offstage.render("<p>", width=110)).width == 110
    asyncio.run(offstage.close())
