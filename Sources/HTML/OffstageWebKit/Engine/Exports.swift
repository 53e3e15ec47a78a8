// The documents and the main loop are part of what an engine's user needs.
@_exported import OffstageGLib
@_exported import OffstageHTML
