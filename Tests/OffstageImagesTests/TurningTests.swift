import Foundation
import Offstage
import OffstageImages
import Testing

/// Rotated and mirrored pictures, whatever the orientation of the file.
@Suite struct TurningTests {
    /// A picture whose rotations and mirror images all differ.
    private static let source = Pixmap.painted(48, 32) { x, y in RGBA(x * 5, y * 7, x < 16 && y < 8 ? 255 : 0, 255) }

    @Test(arguments: 1...8) func aTurnedPictureHasThePixelsOfTheUprightOne(orientation: Int) async throws {
        let file = try Self.source.jpeg(orientation: orientation)
        let upright = try await picture(file)
        for rotation in Rotation.allCases {
            for flip in [nil] + ImageGeometry.Flip.allCases {
                let drawn = try await picture(file) {
                    $0.geometry.rotation = rotation
                    $0.geometry.flip = flip
                }
                let expected = upright.turned(rotation).flipped(flip)
                #expect(drawn.size == expected.size, "\(rotation) \(flip as Any)")
                #expect(drawn.allBytes == expected.allBytes, "\(rotation) \(flip as Any)")
            }
        }
    }

    @Test(arguments: 2...8) func theFilesOrientationCanBeIgnored(orientation: Int) async throws {
        let stored = try await picture(try Self.source.jpeg(orientation: 1))
        let drawn = try await picture(try Self.source.jpeg(orientation: orientation)) { $0.geometry.isUpright = false }
        #expect(drawn.size == stored.size)
        #expect(drawn.allBytes == stored.allBytes)
    }

    /// A part, a box and a gravity refer to the rotated picture.
    @Test func aPartOfATurnedPicture() async throws {
        let file = try quarters(64, 32).png()
        let part = try await picture(file) {
            $0.geometry.rotation = .quarter
            $0.geometry.crop = .init(x: 0, y: 0, width: 16, height: 32)
        }
        #expect(part.size == PixelSize(width: 16, height: 32))
        #expect(part[0, 0] == blue && part[15, 31] == blue)
        let covering = try await picture(file) {
            $0.geometry.rotation = .quarter
            ($0.geometry.width, $0.geometry.height) = (32, 32)
            $0.geometry.fit = .cover
            $0.geometry.gravity = .south
        }
        #expect(covering.size == PixelSize(width: 32, height: 32))
        #expect(covering[2, 16] == white && covering[29, 16] == lime)
        let outside = await failure(file) {
            $0.geometry.rotation = .quarter
            $0.geometry.crop = .init(x: 32, y: 0, width: 1, height: 1)
        }
        #expect(outside?.problemCode == "crop-outside")
    }

    @Test func turnsAreDifferentPicturesInTheCache() throws {
        var file = ImageFile(identifier: "a", data: try Self.source.png())
        var fingerprints = Set([engine.fingerprint(of: file)])
        file.geometry.rotation = .half
        fingerprints.insert(engine.fingerprint(of: file))
        file.geometry.flip = .vertical
        fingerprints.insert(engine.fingerprint(of: file))
        file.geometry.isUpright = false
        fingerprints.insert(engine.fingerprint(of: file))
        #expect(fingerprints.count == 4)
    }
}

extension Pixmap {
    fileprivate func turned(_ rotation: Rotation) -> Pixmap {
        let (width, height) = (size.width, size.height)
        switch rotation {
        case .none: return self
        case .quarter: return .painted(height, width) { x, y in self[y, height - 1 - x] }
        case .half: return .painted(width, height) { x, y in self[width - 1 - x, height - 1 - y] }
        case .threeQuarters: return .painted(height, width) { x, y in self[width - 1 - y, x] }
        }
    }

    fileprivate func flipped(_ flip: ImageGeometry.Flip?) -> Pixmap {
        switch flip {
        case nil: self
        case .horizontal: .painted(size.width, size.height) { x, y in self[size.width - 1 - x, y] }
        case .vertical: .painted(size.width, size.height) { x, y in self[x, size.height - 1 - y] }
        }
    }
}
