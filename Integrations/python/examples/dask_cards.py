"""Renders many rows with Dask: python3 dask_cards.py sales.json FOLDER [DATABASE]

Each process of Dask starts Offstage for its first partition, and uses it for all further ones. With DATABASE, the machines that
share this database draw: those that run `offstage work --shared DATABASE`.
"""

import sys
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional

import dask.bag
from cards import html_of, read

import offstage
from offstage import OffstageError, Request


def draw(rows: Iterable[Dict[str, Any]], folder: str, via: Optional[str]) -> List[Dict[str, Any]]:
    """Writes the pictures of a partition's rows. Returns only small results, because Dask sends them back to the caller."""
    requests = (Request(html_of(row), id=f"sales/{row['key']}", fragment=True, width=320, scale=2) for row in rows)
    results = []
    for outcome in offstage.render_many(requests, ordered=False, errors="return", via=via):
        result: Dict[str, Any] = {"id": outcome.id}
        if isinstance(outcome, OffstageError):
            result["error"] = str(outcome)
        else:
            picture = Path(folder, f"{outcome.id}.png")
            picture.parent.mkdir(parents=True, exist_ok=True)
            outcome.save(picture)
            result["kept"] = outcome.kept
        results.append(result)
    return results


def main(rows: str, folder: str, via: Optional[str] = None) -> None:
    # Usually choose a few thousand rows, because each partition costs a few milliseconds.
    bag = dask.bag.from_sequence(read(rows), partition_size=2)
    # With dask.distributed, create a Client(address) before this line to compute on a cluster; every machine needs Offstage.
    results = bag.map_partitions(draw, folder, via).compute()
    failed = [result for result in results if "error" in result]
    for result in failed:
        print(f"{result['id']}: {result['error']}", file=sys.stderr)
    kept = sum(result["kept"] for result in results if "error" not in result)
    print(f"{len(results) - len(failed) - kept} drawn, {kept} kept")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
