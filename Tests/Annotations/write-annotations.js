// Writes annotations.pdf, with one kind of annotation per page and MuPDF's appearance for it. The test in
// Tests/OffstagePagesTests/AnnotationKindTests.swift reads the file. To write it again: mutool run write-annotations.js
"use strict";

var box = [50, 50, 150, 150];
var ends = ["Square", "Circle", "Diamond", "OpenArrow", "ClosedArrow", "Butt", "ROpenArrow", "RClosedArrow", "Slash"];
var corners = [[60, 140], [100, 60], [140, 140]];
var quads = [[60, 90, 140, 90, 60, 110, 140, 110]];

/// The name, the subtype, and the properties to set.
var kinds = [
    ["note", "Text", function (a) { a.setRect([80, 80, 100, 100]); a.setContents("A note"); }],
    ["free text", "FreeText", function (a) { a.setRect(box); a.setDefaultAppearance("Helv", 14, [0]); a.setContents("Words on the page"); }],
    ["line", "Line", function (a) { a.setLine([60, 60], [140, 140]); }],
];
ends.forEach(function (end) {
    kinds.push(["line with " + end, "Line", function (a) { a.setLine([70, 100], [130, 100]); a.setLineEndingStyles(end, end); a.setInteriorColor([1, 1, 0]); }]);
});
kinds.push(
    ["square", "Square", function (a) { a.setRect(box); a.setBorder(4); }],
    ["filled square", "Square", function (a) { a.setRect(box); a.setInteriorColor([0, 0.5, 1]); }],
    ["transparent square", "Square", function (a) { a.setRect(box); a.setInteriorColor([0, 0.5, 1]); a.setOpacity(0.4); }],
    ["circle", "Circle", function (a) { a.setRect(box); a.setBorder(2); }],
    ["filled circle", "Circle", function (a) { a.setRect(box); a.setInteriorColor([1, 0.5, 0]); }],
    ["polygon", "Polygon", function (a) { a.setVertices(corners); a.setInteriorColor([0, 1, 0]); }],
    ["polyline", "PolyLine", function (a) { a.setVertices(corners); a.setBorder(3); }],
    ["polyline with arrows", "PolyLine", function (a) { a.setVertices(corners); a.setLineEndingStyles("OpenArrow", "ClosedArrow"); }],
    ["highlight", "Highlight", function (a) { a.setQuadPoints(quads); a.setColor([1, 1, 0]); }],
    ["underline", "Underline", function (a) { a.setQuadPoints(quads); }],
    ["squiggly", "Squiggly", function (a) { a.setQuadPoints(quads); }],
    ["strike-out", "StrikeOut", function (a) { a.setQuadPoints(quads); }],
    ["stamp", "Stamp", function (a) { a.setRect(box); a.setIcon("Approved"); }],
    ["caret", "Caret", function (a) { a.setRect([90, 90, 110, 110]); }],
    ["ink", "Ink", function (a) { a.setInkList([[[60, 60], [100, 140], [140, 60]]]); a.setBorder(3); }],
    ["file", "FileAttachment", function (a) { a.setRect([90, 90, 110, 110]); a.setIcon("PushPin"); }],
    ["hidden square", "Square", function (a) { a.setRect(box); a.setFlags(2); }],
    ["square that is not viewed", "Square", function (a) { a.setRect(box); a.setFlags(32); }],
    ["printed square", "Square", function (a) { a.setRect(box); a.setFlags(4); }],
    ["locked square", "Square", function (a) { a.setRect(box); a.setFlags(128); }]
);

var document = new PDFDocument();
kinds.forEach(function (kind) {
    var font = document.addSimpleFont(new Font("Helvetica"));
    var content = new Buffer();
    content.writeLine("0.9 g 20 20 160 160 re f 0 g BT /F 8 Tf 22 170 Td (" + kind[0] + ") Tj ET");
    document.insertPage(-1, document.addPage([0, 0, 200, 200], 0, { Font: { F: font } }, content));
});
kinds.forEach(function (kind, index) {
    var subtype = kind[1], set = kind[2];
    var page = document.loadPage(index);
    var annotation = page.createAnnotation(subtype);
    if (subtype !== "Stamp" && subtype !== "FreeText") annotation.setColor([1, 0, 0]);
    set(annotation);
    annotation.update();
    page.update();
});
document.save("annotations.pdf", "garbage,compress");
print(kinds.length + " kinds");
