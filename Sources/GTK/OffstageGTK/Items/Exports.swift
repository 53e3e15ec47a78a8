// A GTK program needs the main loop as well: `import OffstageGTK` is enough for both.
@_exported import OffstageGLib
@_exported import OffstageLists
