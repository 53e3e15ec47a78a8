import Foundation
import Offstage
import OffstageImages
import OffstageInk
import OffstagePages
import OffstageService
import OffstageSound
import OffstageWebKit
import OffstageWorkers
import Testing

/// The defaults in the guides. Other tests set their own limits, which they reach sooner.
@Suite struct DefaultsTests {
    private func says(_ guide: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let words = try String(contentsOf: root.appendingPathComponent("docs/\(guide).md"), encoding: .utf8)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(text), "\(guide).md does not say: \(text)", sourceLocation: sourceLocation)
    }

    @Test func ofDocuments() throws {
        let limits = SnippetLimits()
        #expect(Snippet("", identifier: "").timeout == 10)
        try says("command-line", "| `--timeout` | 10 s |")
        #expect(limits.grace == 5)
        try says("command-line", "| `--grace` | 5 s |")
        #expect(limits.inputBytes == 64 << 20)
        try says("command-line", "| `--max-input-bytes` | 64 MiB |")
        #expect(limits.elements == 500_000)
        try says("command-line", "| `--max-elements` | 500,000 |")
        #expect(limits.resources == 1_000 && limits.resourceBytes == 256 << 20)
        try says("command-line", "| `--max-resources`, `--max-resource-bytes` | 1,000, 256 MiB |")
        #expect(limits.imagePixels == 500_000_000)
        try says("command-line", "| `--max-image-pixels` | 500,000,000 |")
        #expect(limits.pictureSide == 1_000_000 && limits.picturePixels == 1 << 30)
        try says("command-line", "| `--max-side`, `--max-pixels` | 1,000,000 device px, 2³⁰ device px |")
        #expect(limits.memory == min(4 << 30, Int(ProcessInfo.processInfo.physicalMemory / 2)))
        try says("command-line", "| `--max-memory` | 4 GiB, or half of the machine's |")
    }

    @Test func ofWorkers() throws {
        let images = ImageLimits()
        let sounds = SoundLimits().budget
        let pages = DocumentPage(PageDocument(Data())).budget
        let ink = InkDrawing(InkDocument(Data())).limits.budget
        for budget in [images.budget, pages, ink] {
            #expect(budget.processorSeconds == 30 && budget.seconds == 60 && budget.pixels == 100_000_000)
        }
        #expect(sounds.processorSeconds == 600 && sounds.seconds == 900)
        try says("command-line", "An image, a PDF page, ink (60 s) or a sound (900 s) fails after this time")
        try says(
            "command-line",
            "| `--max-cpu` | 30 s | Processor time for an image, a PDF page or ink, and 600 s for a sound")
        #expect(images.budget.memory == 2 << 30 && pages.memory == 1 << 30 && ink.memory == 1 << 30)
        #expect(sounds.memory == 512 << 20)
        try says("command-line", "2 GiB for images, 1 GiB for PDF pages and ink, 512 MiB for sounds")
        try says("command-line", "`--max-pixels` of images, PDF pages and ink is 100,000,000 device px")
        #expect(images.budget.documentBytes == 256 << 20 && sounds.documentBytes == 8 << 30)
        try says("command-line", "image files have 256 MiB, sounds 8 GiB")
        #expect(images.imagePixels == 500_000_000)
    }

    @Test func ofProcesses() throws {
        #expect(Recycling().drawings == 2_000 && Recycling().memory == 512 << 20)
        for guide in ["command-line", "operations"] {
            try says(guide, "replaces a web process after 2,000 drawings, or when it keeps more than 512 MiB")
        }
    }

    @Test func ofCaches() throws {
        #expect(StoreLimits().bytes == 2 << 30 && StoreLimits().age == 90 * 86_400)
        try says("command-line", "of at most 2 GiB. Offstage evicts the least recently used pictures first")
        try says("command-line", "all that have not been used for 90 days")
        #expect(MemoryCacheLimits.defaultBytes == min(512 << 20, Int(ProcessInfo.processInfo.physicalMemory / 10)))
    }

    @Test func ofTheService() throws {
        let service = ServeConfiguration()
        #expect(service.bodyLimit == 16 << 20)
        try says("operations", "| `--max-body` | 16 MiB |")
        #expect(service.connectionLimit == 4_096)
        try says("operations", "| `--max-connections` | 4,096 |")
        #expect(service.memoryLimit == MemoryCacheLimits.defaultBytes)
        try says("operations", "| `--memory` | a tenth of the machine's, at most 512 MiB |")
        #expect(service.idleTimeout == 60 && service.drainTime == 0 && service.stopTimeout == 10)
        try says("operations", "| `--idle-timeout` | 60 s |")
        try says("operations", "| `--drain` | 0 s |")
        try says("operations", "| `--stop-timeout` | 10 s |")
    }
}
