import Offstage
import Testing

struct PixmapTests {
    @Test func theMemoryIsGivenBackOnceWhenTheLastOwnerLetsGo() async {
        let tally = Tally()
        do {
            let picture = Pixmap.of(2, 2, isOpaque: true, tally: tally) { _, _ in [0, 0, 0, 255] }
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { picture.withRow(1) { $0.count } } }
                for await count in group { #expect(count == 8) }
            }
            #expect(tally.count == 0)
            withExtendedLifetime(picture) {}
        }
        #expect(tally.count == 1)
    }

    @Test func aRowIsLentWithoutWhatLiesBehindIt() {
        let picture = Pixmap.of(2, 3, isOpaque: true, padding: [9, 9, 9]) { x, y in [UInt8(x), UInt8(y), 7, 255] }
        #expect(picture.withRow(2) { Array($0) } == [0, 2, 7, 255, 1, 2, 7, 255])
    }

    @Test func aFilledPictureHoldsWhatWasWritten() {
        let picture = Pixmap.filled(size: PixelSize(width: 1, height: 2), isOpaque: false) { memory in
            memory.copyBytes(from: [1, 2, 3, 4, 5, 6, 7, 8])
        }
        #expect(picture.withRow(0) { Array($0) } == [1, 2, 3, 4])
        #expect(picture.withRow(1) { Array($0) } == [5, 6, 7, 8])
    }
}
