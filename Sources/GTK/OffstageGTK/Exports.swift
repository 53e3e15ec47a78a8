// Lists of hosts have these types in their API.
@_exported import OffstageLists
