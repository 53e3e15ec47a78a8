import Foundation
import Offstage

/// Pictures that can be verified: their bytes follow from the identifier and a version, which is in `extra`.
public enum Sample {
    public static func key(_ number: Int) -> PictureKey { PictureKey("row/\(number)", variant: "full.png") }

    public static func picture(_ key: PictureKey, version: Int) -> StoredPicture {
        let data = bytes(key, version: version)
        var builder = Fingerprint.Builder()
        builder.add("html", "\(key.identifier) \(version)")
        builder.add("engine", "sample")
        return StoredPicture(
            data: data,
            info: PictureInfo(
                fingerprint: builder.build(), dependencies: [Dependency(path: "a.css", digest: Digest(of: "a"))],
                format: "png", size: PixelSize(width: 400, height: version % 1000 + 1), scale: 2, isOpaque: true,
                extra: "\(version)"))
    }

    /// Usually a row's few kilobytes; one picture in sixty is larger than the database's limit.
    private static func bytes(_ key: PictureKey, version: Int) -> Data {
        var state = Digest(of: "\(key.identifier) \(version)").withBytes { $0.load(as: UInt64.self) } | 1
        let count = (state >> 40) % 60 == 1 ? 520 << 10 : 100 + Int((state >> 8) % (24 << 10))
        // Repeated blocks, so that most time is spent on writing.
        let block = (0..<64).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
        let bytes = block.withUnsafeBytes { Data($0) }
        var data = Data(capacity: count + bytes.count)
        while data.count < count { data.append(bytes) }
        return data.prefix(count)
    }

    /// Whether a picture equals, byte for byte, one that was made for this key.
    public static func isRight(_ picture: StoredPicture, for key: PictureKey) -> Bool {
        guard let version = picture.info.extra.flatMap({ Int($0) }) else { return false }
        return picture == self.picture(key, version: version)
    }
}
