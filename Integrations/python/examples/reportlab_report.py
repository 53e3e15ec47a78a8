"""Makes a PDF file with ReportLab: python3 reportlab_report.py sales.json report.pdf"""

import sys

from cards import cards, read, tell
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Image, Paragraph, SimpleDocTemplate, Spacer

from offstage import Offstage

pictures = []
story = [Paragraph("Sales", getSampleStyleSheet()["Title"])]
with Offstage() as offstage:
    for row, picture in cards(read(sys.argv[1]), offstage):
        width, height = picture.points
        story += [Image(picture.open(), width, height), Spacer(0, 12)]
        pictures.append(picture)
SimpleDocTemplate(sys.argv[2], pagesize=A4, title="Sales", invariant=1).build(story)
tell(pictures)
