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
            // After another PUT, the replaced bytes stay for an hour, so they can still be read.
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

    package func owner(of identifier: String) async throws(SharedUnavailable) -> PictureOwner? {
        try await ask { (session) throws(SharedError) in
            var owner: PictureOwner?
            try session.run("SELECT owner FROM offstage.name WHERE identifier = $1", [.text(identifier)]) {
                owner = PictureOwner(name: $0.optionalText(0))
            }
            return owner
        }
    }

    package func put(
        _ pictures: [(identifier: String, picture: StoredPicture)], removing others: [String],
        by client: PinningClient, over expected: ExpectedPicture
    ) async throws(SharedUnavailable) -> PinOutcome {
        let digests = pictures.map { Digest(of: $0.picture.data) }
        return try await ask { (session) throws(SharedError) in
            try Self.change(session) { () throws(SharedError) in
                let present = try Self.locked(pictures[0].identifier, session)
                if !client.mayChange(present?.owner) { return .isForeign }
                // After a lost connection the statement runs again, although its first run may have succeeded.
                guard present?.content == digests[0] || expected.isMet(by: present?.content) else { return .isOther }
                for (index, (one, digest)) in zip(pictures, digests).enumerated() {
                    let mayChange = index > 0 || client.mayChangeOthers || client.name == nil
                    let version = try Self.put(one.picture, digest, as: one.identifier, client.name, mayChange, session)
                    // Before the first picture, there is no row to lock against other machines.
                    if version == 0 { return .isForeign }
                    if index == 0, expected == .nothing, present == nil, version != 1 { return .isOther }
                }
                try Self.delete(others, session)
                return .done
            }
        }
    }

    /// - Returns: the number of pictures stored under this identifier so far; 0 if another owner has it, and nothing
    ///   changes.
    private static func put(
        _ picture: StoredPicture, _ digest: Digest, as identifier: String, _ owner: String?, _ mayChangeOthers: Bool,
        _ session: PQSession
    ) throws(SharedError) -> Int {
        let parts = BlobParts.split(picture.data)
        var version = 0
        try session.run(
            """
            SELECT offstage.put($1::text, $2::bytea[], $3::integer[], $4::bytea[], $5::bytea, $6::bigint, $7::text,
                $8::text, $9::integer = 1)
            """,
            [
                .text(identifier), .digests(parts.map { _ in digest }), .integers(Array(parts.indices)),
                .bytesList(parts), .digest(digest), .integer(picture.data.count), .text(picture.info.json),
                .text(owner), .integer(mayChangeOthers ? 1 : 0),
            ]
        ) { version = $0.isNull(0) ? 0 : $0.integer(0) }
        return version
    }

    package func remove(
        _ identifiers: [String], by client: PinningClient, _ expected: ExpectedPicture
    ) async throws(SharedUnavailable) -> PinOutcome {
        try await ask { (session) throws(SharedError) in
            try Self.change(session) { () throws(SharedError) in
                try session.execute("SET LOCAL synchronous_commit = on")
                let present = try Self.locked(identifiers[0], session)
                if !client.mayChange(present?.owner) { return .isForeign }
                guard expected.isMet(by: present?.content) else { return .isOther }
                try Self.delete(identifiers, session)
                return .done
            }
        }
    }

    private static func delete(_ identifiers: [String], _ session: PQSession) throws(SharedError) {
        for identifier in identifiers {
            try session.run("DELETE FROM offstage.name WHERE identifier = $1", [.text(identifier)])
        }
    }

    /// Runs a change in a transaction. Rolls back unless the outcome is `done`.
    private static func change(
        _ session: PQSession, _ body: () throws(SharedError) -> PinOutcome
    ) throws(SharedError) -> PinOutcome {
        var outcome = PinOutcome.done
        _ = try session.attempt { () throws(SharedError) in
            outcome = try body()
            if case .done = outcome { return true }
            return false
        }
        return outcome
    }

    /// The picture under an identifier, locked against changes until the end of the transaction.
    private static func locked(
        _ identifier: String, _ session: PQSession
    ) throws(SharedError) -> (content: Digest?, owner: PictureOwner)? {
        var found: (Digest?, PictureOwner)?
        try session.run(
            "SELECT digest, owner FROM offstage.name WHERE identifier = $1 FOR UPDATE", [.text(identifier)]
        ) { found = ($0.digest(0), PictureOwner(name: $0.optionalText(1))) }
        return found
    }
}
