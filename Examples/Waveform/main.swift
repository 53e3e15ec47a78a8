import OffstageCommandLine

// The program `offstage`, which draws sounds too: waveform render sound.wav
Program.run(with: [WaveformSettings.source])
