"""Makes a PDF file with Jinja2 and WeasyPrint: python3 weasyprint_report.py sales.json report.pdf"""

import sys
from typing import Any, Dict, List

from cards import html_of, read, tell
from jinja2 import DictLoader, Environment
from weasyprint import HTML

from offstage import Offstage, Picture

PAGE = """<!doctype html>
<title>Sales</title>
<style>@page { size: A4; margin: 20mm } body { font-family: 'DejaVu Sans' } figure { margin: 0 0 6mm }</style>
<h1>Sales</h1>
{% for row in rows %}<figure>{{ row | card }}<figcaption>{{ row.months | sum }} in a year</figcaption></figure>
{% endfor %}"""

with Offstage(scale=2, width=320, areas=True) as offstage:
    pictures: List[Picture] = []

    def card(row: Dict[str, Any]) -> Picture:
        """A picture, which Jinja2 inserts as an <img> of the right size, with the picture's text as its alternative text."""
        pictures.append(offstage.render(html_of(row), id=f"sales/{row['key']}"))
        return pictures[-1]

    environment = Environment(loader=DictLoader({"report.html": PAGE}), autoescape=True)
    environment.filters["card"] = card
    page = environment.get_template("report.html").render(rows=read(sys.argv[1]))
    # With presentational hints, WeasyPrint uses the width and height of an <img>.
    HTML(string=page).write_pdf(sys.argv[2], presentational_hints=True)
    tell(pictures)
