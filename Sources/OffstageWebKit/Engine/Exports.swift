// A program that draws HTML needs the main loop as well: `import OffstageWebKit` gives it `MainLoop`.
@_exported import OffstageGLib
