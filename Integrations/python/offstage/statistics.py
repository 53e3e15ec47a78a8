"""What the program has done, and what waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional


@dataclass(frozen=True)
class Statistics:
    """Of the process that runs now; after a new start it counts from the beginning.

    Attributes:
        under_way: requests without an answer that are with the program.
        waiting, running: drawings.
        suspended: whether nothing new is begun.
        counters: what has happened so far: ``drawn``, ``hitsOnDisk``, ``failed`` …
        store: pictures and bytes on disk; None where nothing is kept.
        resident_bytes: memory of the program, without its web processes.
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
        """Pictures that were not kept from before."""
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
