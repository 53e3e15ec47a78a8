import Foundation
import Offstage

extension PostgresShelf: SharedNames {
    private func ask<R: Sendable>(
        _ body: @escaping @Sendable (PQSession) throws(SharedError) -> R
    ) async throws(SharedUnavailable) -> R {
        do throws(SharedError) { return try await names.run(body) } catch {
            note(error)
            throw SharedUnavailable(error.description)
        }
    }

    package func content(of identifier: String) async throws(SharedUnavailable) -> Digest? {
        try await ask { (session) throws(SharedError) in
            var digest: Digest?
            try session.run("SELECT digest FROM offstage.name WHERE identifier = $1", [.text(identifier)]) {
                digest = $0.digest(0)
            }
            return digest
        }
    }

    package func picture(of identifier: String) async throws(SharedUnavailable) -> StoredPicture? {
        try await ask { (session) throws(SharedError) in
            // Bytes that another PUT has just replaced are gone only after an hour.
            var found: (Digest, PictureInfo)?
            try session.run(
                "SELECT digest, info::text FROM offstage.name WHERE identifier = $1", [.text(identifier)]
            ) { row in
                if let digest = row.digest(0), let info = PictureInfo(json: row.text(1)) { found = (digest, info) }
            }
            guard let (digest, info) = found, let data = try BlobParts.read(digest, session) else { return nil }
            return StoredPicture(data: data, info: info)
        }
    }

    package func put(
        _ picture: StoredPicture, as identifier: String, over expected: ExpectedPicture
    ) async throws(SharedUnavailable) -> Bool {
        let digest = Digest(of: picture.data)
        let parts = BlobParts.split(picture.data)
        return try await ask { (session) throws(SharedError) in
            // A statement after a lost connection runs again; its first run may have had its effect.
            try session.attempt { () throws(SharedError) in
                let present = try expected == .any ? nil : Self.locked(identifier, session)
                guard present == digest || expected.isMet(by: present) else { return false }
                var version = 0
                try session.run(
                    """
                    SELECT offstage.put($1::text, $2::bytea[], $3::integer[], $4::bytea[], $5::bytea, $6::bigint,
                        $7::text)
                    """,
                    [
                        .text(identifier), .digests(parts.map { _ in digest }), .integers(Array(parts.indices)),
                        .bytesList(parts), .digest(digest), .integer(picture.data.count), .text(picture.info.json),
                    ]
                ) { version = $0.integer(0) }
                // Another machine's first picture cannot be locked before it is there.
                return expected != .nothing || present != nil || version == 1
            }
        }
    }

    package func remove(
        _ identifier: String, _ expected: ExpectedPicture
    ) async throws(SharedUnavailable) -> Bool {
        try await ask { (session) throws(SharedError) in
            try session.attempt { () throws(SharedError) in
                try session.execute("SET LOCAL synchronous_commit = on")
                let present = try expected == .any ? nil : Self.locked(identifier, session)
                guard expected.isMet(by: present) else { return false }
                try session.run("DELETE FROM offstage.name WHERE identifier = $1", [.text(identifier)])
                return true
            }
        }
    }

    /// The digest under an identifier, which no other transaction changes before the end of this one.
    private static func locked(_ identifier: String, _ session: PQSession) throws(SharedError) -> Digest? {
        var digest: Digest?
        try session.run(
            "SELECT digest FROM offstage.name WHERE identifier = $1 FOR UPDATE", [.text(identifier)]
        ) { digest = $0.digest(0) }
        return digest
    }
}
