import Foundation
import Offstage
import OffstageRequests
import OffstageService

extension OutputPlan {
    /// Checks, before anything is drawn, that every file has a unique name and a writable location.
    func check(_ jobs: [Job]) throws(UsageError) {
        switch place {
        case .folder(let folder):
            var names = FileNames(self, below: folder)
            for job in jobs { try names.add(job) }
            try names.checkParts()
            let isNew = OutputFolder.kind(of: folder) == nil
            try OutputFolder.prepare(folder)
            // A new folder is empty: it contains no links and no inputs.
            if isNew { return try checkDocuments(jobs) }
            let links = LinkCheck(below: folder)
            for job in jobs {
                for path in paths(job.input.identifier, job.settings) where links.leadsOut(path) {
                    throw UsageError("\(job.input.name): \(links.message(path))")
                }
            }
        case .file(let path):
            if jobs.count != 1 {
                throw UsageError("-o takes one input, but there are \(jobs.count); use --out FOLDER for several")
            }
            var names = FileNames(self, below: "")
            try names.add(jobs[0])
            try checkPlaces(path, jobs[0])
            try OutputFolder.prepare(parentFolder(of: path))
        case .standardOutput:
            if jobs.count != 1 { throw UsageError("-o - takes one input, but there are \(jobs.count)") }
            if isatty(STDOUT_FILENO) == 1 {
                throw UsageError("standard output is a terminal; redirect it to a file or a program, or use -o FILE")
            }
            if jobs[0].settings.variants.count > 1 {
                throw UsageError("--also cannot be combined with -o -; use -o FILE or --out FOLDER")
            }
        }
        try checkSources(jobs)
        try checkDocuments(jobs)
    }

    /// A picture may replace an earlier picture, but not a folder or a device.
    private func checkPlaces(_ path: String, _ job: Job) throws(UsageError) {
        switch OutputFolder.kind(of: path) {
        case nil, S_IFREG: break
        case S_IFDIR: throw UsageError("-o \(path) is a folder; name a file, or use --out \(path)")
        default: throw UsageError("-o \(path) is not a regular file; name one, or use -o - and redirect it")
        }
        for path in paths(job.input.identifier, job.settings).dropFirst() {
            if let kind = OutputFolder.kind(of: path), kind != S_IFREG {
                throw UsageError("\(path), for --also, exists and is not a regular file; choose another path with -o")
            }
        }
    }

    /// No picture may replace a file that this run reads, even if it is for a different picture.
    private func checkSources(_ jobs: [Job]) throws(UsageError) {
        var sources: [FileNumber: String] = [:]
        for source in jobs.compactMap(\.input.sourceFile) {
            if let number = FileNumber(source) { sources[number] = source }
        }
        for job in jobs {
            for path in paths(job.input.identifier, job.settings) {
                guard let source = FileNumber(path).flatMap({ sources[$0] }) else { continue }
                let picture = source == job.input.sourceFile ? "its own picture" : "the picture of \(job.input.name)"
                throw UsageError("\(source) would be replaced by \(picture); choose another path for it")
            }
        }
    }
}
