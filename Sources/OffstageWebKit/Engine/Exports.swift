// A program that draws HTML needs the main loop and the vector formats as well: `import OffstageWebKit` is enough for all.
@_exported import OffstageGLib
@_exported import OffstageVector
