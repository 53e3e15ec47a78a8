import Testing

@testable import OffstageShared

struct AddressTests {
    private func parameters(_ text: String, _ environment: [String: String] = [:]) throws -> [String: String] {
        let all = try SharedAddress(text, environment: environment).parameters
        return Dictionary(all.map { ($0.name, $0.value) }) { $1 }
    }

    @Test(
        "a password in the connection string is refused, in every form",
        arguments: [
            "postgresql://me:secret@db/offstage", "postgresql://db/offstage?password=secret", "host=db password=secret",
            "postgres://me:secret@db/offstage", "host=db password = 'secret'", "password=secret host=db",
            "postgresql://me:s%65cret@db/offstage", "postgresql://db/offstage?p%61ssword=secret",
            "postgresql://me:secret@/offstage?host=/run/postgresql", "host=db\tpassword='sec\\ret'",
            "postgresql://db/offstage?sslmode=require&password=secret", "host=db password=''  password=secret",
        ])
    func password(_ text: String) {
        let error = #expect(throws: SharedError.self) { try SharedAddress(text) }
        #expect("\(error!)".contains("PGPASSFILE"))
        #expect(!"\(error!)".contains("secret"))
    }

    @Test(
        "a key's password in the connection string is refused, too",
        arguments: ["postgresql://db/offstage?sslpassword=secret", "host=db sslpassword = 'secret'"])
    func passwordOfAKey(_ text: String) {
        let error = #expect(throws: SharedError.self) { try SharedAddress(text) }
        #expect("\(error!)".contains("sslpassword"))
        #expect(!"\(error!)".contains("secret"))
    }

    @Test("another machine is verified by default, this machine is not")
    func verification() throws {
        #expect(try parameters("postgresql://db.example.org/offstage")["sslmode"] == "verify-full")
        #expect(try parameters("dbname=offstage", ["PGHOST": "db.example.org"])["sslmode"] == "verify-full")
        #expect(try parameters("host=/run/postgresql,db.example.org")["sslmode"] == "verify-full")
        for local in ["postgresql:///offstage", "host=/run/postgresql", "postgresql://localhost/offstage", "host=::1"] {
            #expect(try parameters(local)["sslmode"] == nil, "\(local)")
        }
        // The service file contains the hosts.
        #expect(try parameters("service=offstage")["sslmode"] == nil)
    }

    @Test("a weaker mode is accepted, with a warning")
    func weaker() throws {
        let address = try SharedAddress("postgresql://db.example.org/offstage?sslmode=require", environment: [:])
        #expect(address.warning?.contains("sslmode=require does not verify") == true)
        #expect(try parameters("host=db", ["PGSSLMODE": "disable"])["sslmode"] == nil)
        #expect(try SharedAddress("host=db", environment: ["PGSSLMODE": "disable"]).warning != nil)
        #expect(try SharedAddress("postgresql://db/offstage?sslmode=verify-full", environment: [:]).warning == nil)
    }

    @Test("the error names text that is not a connection string")
    func malformed() {
        #expect(throws: SharedError.self) { try SharedAddress("offstage") }
        let error = #expect(throws: SharedError.self) { try SharedAddress("host=db nonsense=1") }
        #expect("\(error!)".contains("nonsense"))
    }
}
