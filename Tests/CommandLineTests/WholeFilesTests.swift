import Foundation
import Testing

/// A picture's file is either complete or missing, even for a program that reads the folder during a run.
@Suite struct WholeFilesTests {
    @Test func aWatcherSeesNoHalfPicture() throws {
        try withFolder { folder in
            // Each file has several hundred kilobytes, so that writing it takes some time.
            let dots = "background:repeating-conic-gradient(red 0 3deg,lime 0 7deg,blue 0 12deg)"
            for index in 1...60 {
                try folder.write(
                    "in/\(index).html",
                    "<!doctype html><body style='margin:0'><div style='height:\(500 + index)px;\(dots)'></div>")
            }
            let child = try Child(
                [Offstage.path, "render", "in", "--out", "out", "--jobs", "2", "-q"], folder: folder.path)
            var (looks, seen) = (0, Set<String>())
            let end = Data([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
            let isOver = eventually {
                // A partial file would be visible only on the first look: after that, its name exists.
                let new = folder.files("out").filter { $0.hasSuffix(".png") && !seen.contains($0) }
                if !new.isEmpty { looks += 1 }
                for name in new {
                    seen.insert(name)
                    let data = try? folder.data("out/" + name)
                    #expect(data?.suffix(12) == end, "\(name) ends without IEND")
                }
                return child.hasEnded
            }
            #expect(isOver)
            #expect(try child.wait().code == 0)
            #expect(looks > 10, "the watcher saw too little: \(looks)")
            #expect(folder.files("out").count == 60)
        }
    }

    /// One view and three views give the same bytes, and in both cases the lines are in the order of the input.
    @Test func manyViewsDrawTheSame() throws {
        try withFolder { folder in
            for index in 1...24 {
                let text = String(repeating: "Row \(index), fi Å 漢 🙂 ", count: index * 7 % 13 + 1)
                try folder.write("in/\(index).html", "<!doctype html><meta charset=utf-8><p>\(text)")
            }
            let one = try Offstage.run("render", "in", "--out", "one", "--json", in: folder)
            let three = try Offstage.run("render", "in", "--out", "three", "--json", "--jobs", "3", in: folder)
            #expect(one.code == 0 && three.code == 0)
            #expect(folder.files("one").count == 24)
            for name in folder.files("one") {
                #expect(try folder.data("one/" + name) == folder.data("three/" + name), "\(name)")
            }
            let order = try one.objects.map { $0["identifier"] as? String }
            #expect(try three.objects.map { $0["identifier"] as? String } == order)
        }
    }
}
