"""Makes a workbook with openpyxl: python3 openpyxl_report.py sales.json report.xlsx"""

import sys

from cards import cards, read, tell
from openpyxl import Workbook
from openpyxl.drawing.image import Image

from offstage import Offstage

pictures = []
workbook = Workbook()
sheet = workbook.active
sheet.title = "Sales"
sheet.append(["Region", "Sold", "By month"])
sheet.column_dimensions["C"].width = 48
with Offstage() as offstage:
    for line, (row, picture) in enumerate(cards(read(sys.argv[1]), offstage), start=2):
        sheet.append([row["name"], sum(row["months"])])
        image = Image(picture.open())
        # In a workbook, sizes of images are in CSS px, but a row's height is in points.
        image.width, image.height = picture.css_size
        sheet.row_dimensions[line].height = picture.points[1] + 6
        sheet.add_image(image, f"C{line}")
        pictures.append(picture)
    workbook.save(sys.argv[2])
tell(pictures)
