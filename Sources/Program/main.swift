import OffstageCommandLine

Program.run()
