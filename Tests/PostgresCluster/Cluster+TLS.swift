import Foundation

extension Cluster {
    /// A cluster that also listens on the loopback interface, with TLS and the password of `postgres`. Its folder
    /// contains `ca.pem`, the authority of its certificate for `db.offstage.test`, and `other.pem`, an unrelated
    /// authority.
    public static func withTLS(password: String) -> Cluster {
        let cluster = Cluster(port: freePort()) { folder in
            let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
            for name in ["ca", "other"] {
                execute(
                    ["openssl", "req", "-x509", "-subj", "/CN=Authority \(name)"] + key
                        + ["-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem"])
            }
            execute(
                ["openssl", "req", "-x509", "-subj", "/CN=db.offstage.test"] + key
                    + [
                        "-addext", "subjectAltName=DNS:db.offstage.test", "-addext",
                        "basicConstraints=critical,CA:false",
                    ]
                    + ["-CA", "\(folder)/ca.pem", "-CAkey", "\(folder)/ca.key"]
                    + ["-keyout", "\(folder)/server.key", "-out", "\(folder)/server.pem"])
            let rules = "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
            _ = FileManager.default.createFile(atPath: "\(folder)/hba.conf", contents: Data(rules.utf8))
            return [
                "listen_addresses=127.0.0.1", "ssl=on", "ssl_cert_file=\(folder)/server.pem",
                "ssl_key_file=\(folder)/server.key", "hba_file=\(folder)/hba.conf",
            ]
        }
        execute([
            "psql", "-h", cluster.folder, "-p", "\(cluster.port)", "-U", "postgres", "-c",
            "ALTER ROLE postgres PASSWORD '\(password)'",
        ])
        return cluster
    }

    /// A loopback port that was free a moment ago.
    private static func freePort() -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
            precondition(bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0)
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
