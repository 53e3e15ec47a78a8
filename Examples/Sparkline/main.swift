import OffstageCommandLine

// The program `offstage`, which draws numbers too: sparkline render numbers.csv
Program.run(with: [SparklineSettings.source])
