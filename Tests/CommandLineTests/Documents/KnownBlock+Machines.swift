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
                // Snippets with files beside them are stored twice.
                #expect(outcome.text.contains(" pictures, "), "\(outcome.text)")
            }
        },
        KnownBlock("docs/several-machines.md", "sh", #"pg_dump --format=custom --file=offstage.dump "$URL""#) { block in
            try withFolder { folder in
                let outcome = try run(
                    """
                    URL='\(Cluster.shared.database())' OTHER='\(Cluster.shared.database())'
                    offstage shared init "$URL" >.init
                    offstage work --shared "$URL" -j 1 --cache worker >.log & worker=$!
                    until offstage shared nodes "$URL" | grep -q live; do sleep 0.1; done
                    offstage render Snippets/chat-greek.html --out out --via "$URL" --quiet
                    kill $worker && wait $worker || true
                    offstage shared stats "$URL" | head -n 1 >.before

                    """ + block.text, in: folder)
                let before = String(decoding: try folder.data(".before"), as: UTF8.self)
                #expect(before.contains(" pictures, ") && !before.hasPrefix("0 "))
                #expect(outcome.text.contains(before), "\(outcome.text)")
            }
        },
        make("docs/several-machines.md", "make image"),
        KnownBlock(
            "docs/several-machines.md", "text",
            #"podman run --read-only --tmpfs /tmp --volume offstage-cache:/var/cache/offstage \"#
        ) { block in
            // Scripts/check-image runs this command. Here, only check that it uses the same options.
            let script = try String(
                contentsOf: Document.root.appendingPathComponent("Scripts/check-image"), encoding: .utf8)
            for option in ["--read-only", "--tmpfs", "--volume", "--cap-drop=all", "no-new-privileges", "unmask=ALL"] {
                #expect(block.text.contains(option) && script.contains(option), "\(option)")
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
