"""Renders the rows of a report as cards, for the examples. CSS does the layout; none of the examples' libraries could do it."""

import json
from html import escape
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from offstage import Offstage, Picture, Request

CARD = """<style>
  body {{ font: 14px/1.4 'DejaVu Sans', sans-serif }}
  .card {{ padding: 12px 16px; border-radius: 12px; background: linear-gradient(120deg, #eef3ff, #fdf1f6) }}
  h2 {{ margin: 0 0 8px; font-size: 18px }}
  .bars {{ display: flex; gap: 4px; height: 60px; align-items: flex-end }}
  .bars i {{ flex: 1; border-radius: 3px 3px 0 0; background: #4263eb }}
</style>
<div class="card"><h2>{name}</h2><div class="bars">{bars}</div><p>{total} sold</p></div>"""


def read(path: str) -> List[Dict[str, Any]]:
    rows: List[Dict[str, Any]] = json.loads(Path(path).read_text(encoding="utf-8"))
    return rows


def html_of(row: Dict[str, Any]) -> str:
    most = max(row["months"])
    bars = "".join(f'<i style="height: {value / most:.0%}"></i>' for value in row["months"])
    return CARD.format(name=escape(row["name"]), bars=bars, total=sum(row["months"]))


def cards(rows: List[Dict[str, Any]], offstage: Offstage) -> Iterator[Tuple[Dict[str, Any], Picture]]:
    """Each row with its picture, 320 CSS px wide, at scale 2."""
    requests = (Request(html_of(row), id=f"sales/{row['key']}", fragment=True, width=320, scale=2) for row in rows)
    return zip(rows, offstage.render_many(requests))


def tell(pictures: List[Picture]) -> None:
    kept = sum(picture.kept for picture in pictures)
    print(f"{len(pictures) - kept} drawn, {kept} kept")
