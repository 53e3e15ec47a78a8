// A program that draws HTML also needs the vector formats and the locations of worker programs, so `import OffstageHTML`
// imports them, too.
@_exported import OffstageVector
@_exported import OffstageWorkers
