// A program that draws HTML also needs the main loop and the vector formats, so `import OffstageWebKit` imports them
// all.
@_exported import OffstageGLib
@_exported import OffstageVector
