"""Makes a document for word processors with python-docx: python3 docx_report.py sales.json report.docx"""

import sys

from cards import cards, read, tell
from docx import Document
from docx.shared import Inches

from offstage import Offstage

pictures = []
document = Document()
document.add_heading("Sales", level=1)
with Offstage(areas=True) as offstage:
    for row, picture in cards(read(sys.argv[1]), offstage):
        shape = document.add_picture(picture.open(), width=Inches(picture.inches[0]))
        # The alternative text, for which python-docx has no property.
        shape._inline.docPr.set("descr", picture.text or row["name"])
        document.add_paragraph(row["name"], style="Caption")
        pictures.append(picture)
document.save(sys.argv[2])
tell(pictures)
