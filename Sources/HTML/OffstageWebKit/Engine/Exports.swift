// A program that draws HTML also needs the documents, the main loop and the vector formats, so `import OffstageWebKit`
// imports them all.
@_exported import OffstageGLib
@_exported import OffstageHTML
@_exported import OffstageVector
