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

    package func put(_ picture: StoredPicture, as identifier: String) async throws(SharedUnavailable) {
        let digest = Digest(of: picture.data)
        let parts = BlobParts.split(picture.data)
        _ = try await ask { (session) throws(SharedError) in
            try session.run(
                """
                SELECT offstage.put($1::text, $2::bytea[], $3::integer[], $4::bytea[], $5::bytea, $6::bigint, $7::text)
                """,
                [
                    .text(identifier), .digests(parts.map { _ in digest }), .integers(Array(parts.indices)),
                    .bytesList(parts), .digest(digest), .integer(picture.data.count), .text(picture.info.json),
                ])
        }
    }

    package func remove(_ identifier: String) async throws(SharedUnavailable) {
        _ = try await ask { (session) throws(SharedError) in
            try session.execute("BEGIN; SET LOCAL synchronous_commit = on")
            do throws(SharedError) {
                try session.run("DELETE FROM offstage.name WHERE identifier = $1", [.text(identifier)])
                try session.execute("COMMIT")
            } catch {
                try? session.execute("ROLLBACK")
                throw error
            }
        }
    }
}
