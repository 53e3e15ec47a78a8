import Foundation
import PostgresCluster
import Testing

extension KnownBlock {
    static let ofMachines = [
        KnownBlock("docs/several-machines.md", "sh", #"offstage shared init "$URL""#) { block in
            try withFolder { folder in
                let outcome = try run("URL='\(Cluster.shared.database())'\n" + block.text, in: folder)
                let snippets = folder.files("Snippets").filter { $0.hasSuffix(".html") }
                #expect(folder.files("out").count == snippets.count)
                // Those with files beside them are there twice.
                #expect(outcome.text.contains(" pictures, "), "\(outcome.text)")
            }
        },
        KnownBlock("docs/several-machines.md", "text", "defaults") { block in
            try withFolder { folder in
                try folder.write("haproxy.cfg", block.text + "\n")
                let outcome = try Child(["/usr/sbin/haproxy", "-c", "-f", "haproxy.cfg"], folder: folder.path).wait()
                #expect(outcome.code == 0, "\(outcome.error)\(outcome.text)")
            }
        },
    ]
}
