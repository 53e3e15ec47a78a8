import Offstage
import OffstageHTML
import OffstageRequests
import OffstageShared

/// Compares this machine with those that share a database.
@MainActor
enum SharedChecks {
    static func all(_ address: SharedAddress) async -> [Check] {
        do {
            let nodes = try await SharedDatabase(address).nodes().filter { $0.isLive && $0.slots > 0 }
            let parts: [ClassPart]
            do {
                let engines = try EngineOptions()
                let renderer = engines.renderer(views: 1)
                parts = try await ClassProbe.parts(renderer, engines)
                await renderer.finish()
            } catch {
                return [database(nodes), .failure("shared-class", "\(error)", remedy: nil)]
            }
            let own = ClassProbe.machineClass(parts)
            let drawn = parts.filter { $0.name.hasPrefix("pixels/") && $0.digest != ClassProbe.absent }
            let absent = parts.filter { $0.digest == ClassProbe.absent }.map(\.name)
            var checks = [
                database(nodes), Check.ok("shared-class", "class \(own), from the pixels of \(drawn.count) documents"),
            ]
            if !absent.isEmpty {
                checks.append(
                    .remark(
                        "shared-class", "cannot be drawn here: \(absent.joined(separator: ", "))",
                        remedy: "install the packages and workers that the other machines have"))
            }
            for node in nodes { checks.append(compare(node, own, parts)) }
            return checks
        } catch {
            return [.failure("shared-database", "\(error)", remedy: nil)]
        }
    }

    private static func database(_ nodes: [SharedNode]) -> Check {
        nodes.isEmpty
            ? .remark("shared-database", "no machine takes jobs", remedy: "start one with: offstage work --shared URL")
            : .ok("shared-database", "\(nodes.count) live nodes, \(nodes.reduce(0) { $0 + $1.slots }) drawings at once")
    }

    private static func compare(_ node: SharedNode, _ own: String, _ parts: [ClassPart]) -> Check {
        if node.machineClass == own { return .ok("shared-node", "\(node.name) has the same class") }
        let differences = ClassProbe.differences(parts, node.parts)
        return .remark(
            "shared-node",
            "\(node.name) is of class \(node.machineClass); these parts differ: \(differences.joined(separator: ", "))",
            remedy: "install the same packages, fonts and version of Offstage on both")
    }
}
