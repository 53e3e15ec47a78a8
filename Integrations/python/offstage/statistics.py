"""Statistics of the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional


@dataclass(frozen=True)
class Statistics:
    """Statistics of the running process. A new process starts at zero.

    Attributes:
        under_way: the number of unanswered requests that the program has.
        waiting, running: the number of waiting and of running drawings.
        suspended: True while no new drawing starts.
        counters: counts since the start: ``drawn``, ``hitsOnDisk``, ``failed`` …
        store: the number of pictures and bytes on disk; None without a cache.
        resident_bytes: the memory of the program, without its web processes.
    """

    under_way: int
    waiting: int
    running: int
    suspended: bool
    counters: Dict[str, int]
    store: Optional[Dict[str, int]]
    resident_bytes: Optional[int]

    @property
    def drawn(self) -> int:
        """The number of pictures that were drawn, not taken from the cache."""
        return self.counters.get("drawn", 0)

    @classmethod
    def of_result(cls, result: Mapping[str, Any]) -> Statistics:
        return cls(
            under_way=result["underWay"],
            waiting=result["waiting"],
            running=result["running"],
            suspended=result["suspended"],
            counters=dict(result["counters"]),
            store=result.get("store"),
            resident_bytes=result.get("residentBytes"),
        )
