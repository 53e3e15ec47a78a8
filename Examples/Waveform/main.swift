import Foundation
import Offstage

// Draws a sound into three files, and nothing in the second run: waveform SOUND.wav
guard let path = CommandLine.arguments.dropFirst().first, let wav = FileManager.default.contents(atPath: path) else {
    print("usage: waveform SOUND.wav")
    exit(2)
}
let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent

var configuration = RendererConfiguration()
configuration.store = ImageStore(folder: ImageStore.defaultFolder + "/waveform")
let renderer = Renderer(engine: WaveformEngine(), configuration: configuration)
do {
    let request = Waveform(identifier: name, wav: wav)
    // Files in Offstage's own formats are kept with the pictures.
    let variants = [
        "@2x.png": ImageVariant(.png(), scale: 2),
        ".thumb.webp": ImageVariant(.webp(), fittingInto: PixelSize(width: 100, height: 100)),
    ]
    for (ending, variant) in variants {
        let files = try await renderer.files(for: request, as: [variant])
        if let data = await files[0].files[0].data() { try AtomicFile.write(data, to: name + ending) }
    }
    // A format of another's: the picture is kept, its file is made anew.
    let image = try await renderer.image(for: request)
    try image.write(to: name + ".pam", as: PAMEncoder())
    print("\(image.size) device px, \(renderer.counters.drawn) drawn")
} catch {
    print("\(error)")
    exit(1)
}
await renderer.finish()
