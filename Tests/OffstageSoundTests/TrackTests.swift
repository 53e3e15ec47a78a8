import Foundation
import Offstage
import OffstageSound
import Testing

/// The tracks of containers, and kinds that GStreamer decodes if its plugins are installed.
@Suite struct TrackTests {
    /// Matroska with an 8 kHz mono track and a 16 kHz stereo track that is twice as loud, each one second long.
    ///
    /// - Parameter rate: the rate in the first track's header.
    private static func matroska(rate: Double = 8000) -> Data {
        func element(_ name: Int, _ content: Data) -> Data {
            let count = name > 0xFFFFFF ? 4 : name > 0xFFFF ? 3 : name > 0xFF ? 2 : 1
            return Chunks.number(name, count, isBig: true) + Data([1])
                + Chunks.number(content.count, 7, isBig: true) + content
        }
        func number(_ name: Int, _ value: Int) -> Data { element(name, Chunks.number(value, 4, isBig: true)) }
        func track(_ index: Int, rate: Double, channels: Int, _ language: String) -> Data {
            let bits = withUnsafeBytes(of: rate.bitPattern.bigEndian) { Data($0) }
            let sound = element(0xB5, bits) + number(0x9F, channels) + number(0x6264, 16)
            return element(
                0xAE,
                number(0xD7, index) + number(0x73C5, index) + number(0x83, 2)
                    + element(0x22B59C, Data(language.utf8)) + element(0x86, Data("A_PCM/INT/LIT".utf8))
                    + element(0xE1, sound))
        }
        func block(_ number: Int, _ time: Int, _ samples: [Int]) -> Data {
            let head = Data([UInt8(0x80 | number)]) + Chunks.number(time, 2, isBig: true) + Data([0x80])
            return element(0xA3, samples.reduce(into: head) { $0 += Chunks.number($1, 2) })
        }
        let blocks = (0..<10).reduce(into: Data()) { data, index in
            data += block(1, index * 100, (0..<800).map { $0 % 20 < 10 ? 8000 : -8000 })
            data += block(2, index * 100, (0..<3200).map { $0 % 20 < 10 ? 16_000 : -16_000 })
        }
        let head = element(0x4282, Data("matroska".utf8)) + number(0x4287, 2) + number(0x4285, 2)
        let tracks = track(1, rate: rate, channels: 1, "eng") + track(2, rate: 16_000, channels: 2, "fre")
        let segment =
            element(0x1549_A966, number(0x2AD7B1, 1_000_000)) + element(0x1654_AE6B, tracks)
            + element(0x1F43_B675, number(0xE7, 0) + blocks)
        return element(0x1A45_DFA3, head) + element(0x1853_8067, segment)
    }

    @Test func aTrackIsChosen() async throws {
        let file = Self.matroska()
        for (track, rate, height) in [(nil, 8000, 8000), (1, 8000, 8000), (2, 16_000, 16_000)] as [(Int?, Int, Int)] {
            let request = request(file) { $0.track = track }
            let pyramid = try await engine.peaks(of: request)
            #expect(pyramid.peaks.rate == rate)
            #expect(pyramid.largest(of: [.mix], in: 0.2..<0.8) == height)
            let facts = try await engine.facts(about: request)
            #expect(facts.rate == rate && facts.warnings == [] && abs(facts.duration - 1) < 0.01)
            #expect(facts.tracks.map(\.codec) == ["PCM", "PCM"])
            #expect(facts.tracks.map(\.language) == ["en", "fr"])
            #expect(facts.tracks.map(\.rate) == [8000, 16_000] && facts.tracks.map(\.channels) == [1, 2])
        }
        // Short parts, for which peaks are computed separately, come from the same track.
        func part(_ track: Int) async throws -> Data {
            try await engine.draw(
                request(file) { ($0.track, $0.style.to, $0.style.shape, $0.style.height) = (track, 0.01, .filled, 100) }
            ).pixmaps[0].withRow(30) { Data($0) }
        }
        #expect(try await part(1) != (try await part(2)))
        #expect(await message(file, track: 3) == "it has only 2 sound tracks; use a lower --track number")
        #expect(
            await message(RawWAV(tone(800)).data, track: 2) == "it has only 1 sound track; use a lower --track number")
        #expect(await message(Containers.aac, track: 2) == "it has only 1 sound track; use a lower --track number")
        #expect(try await engine.peaks(of: request(Containers.aac) { $0.track = 1 }).peaks.count > 20)
    }

    private func message(_ data: Data, track: Int) async -> String? {
        guard case .unusable(let problem) = await failure(data, { $0.track = track }) else { return nil }
        return problem.code == "no-such-track" ? problem.message : problem.code
    }

    /// A library used to divide by the rate, which crashed the worker.
    @Test(arguments: [0.25, 1e30, .nan]) func anImpossibleRateIsDamaged(rate: Double) async throws {
        let own = SoundEngine(workers: 1)
        #expect(await failure(Self.matroska(rate: rate), in: own)?.problemCode == "sound-damaged")
        #expect(try await own.peaks(of: request(Self.matroska(rate: rate)) { $0.track = 2 }).peaks.rate == 16_000)
        #expect(await own.restarts == 0)
        await own.shutDown()
    }

    /// FLAC in Ogg pages whose boundaries differ from those of its frames; then a second such stream.
    @Test func flacInOgg() async throws {
        let wav = RawWAV(tone(16_000)).data
        let flac = try converted(wav, to: "flac")
        func stream(_ number: Int, from flac: Data) -> Data {
            var rest = Data([0x7F]) + Data("FLAC".utf8) + Data([1, 0, 0, 1]) + flac
            var (all, index) = (Data(), 0)
            while !rest.isEmpty {
                let piece = rest.prefix(index == 0 ? 51 : 250 * 20)
                rest = Data(rest.dropFirst(piece.count))
                var lengths = [UInt8](repeating: 250, count: piece.count / 250)
                if piece.count % 250 > 0 { lengths.append(UInt8(piece.count % 250)) }
                all += Data("OggS".utf8) + Data([0, index == 0 ? 2 : rest.isEmpty ? 4 : 0]) + Data(count: 8)
                all += Chunks.number(number, 4) + Chunks.number(index, 4) + Data(count: 4)
                all += Data([UInt8(lengths.count)] + lengths) + piece
                index += 1
            }
            return all
        }
        let file = stream(7, from: flac)
        #expect(try await peaks(file) == (try await peaks(wav)))
        let facts = try await engine.facts(about: request(file))
        #expect(facts.kind == "FLAC" && facts.frames == 16_000 && facts.warnings == [])
        #expect(try await engine.facts(about: request(file + stream(8, from: flac))).frames == 32_000)
        var short = flac
        short.replaceSubrange(22..<26, with: Chunks.number(8000, 4, isBig: true))
        #expect(try await peaks(stream(7, from: short)) == (try await peaks(wav)))
        let cut = try await engine.facts(about: request(file.prefix(file.count / 2)))
        #expect(cut.frames < 12_000 && cut.warnings.map(\.code) == [.soundDamaged])
    }

    /// Without their plugins, these kinds cause an error that names the package. With the plugins, they are decoded.
    @Test(arguments: ["AC-3", "WavPack", "MP3 in MP4", "MPEG-TS"]) func rareKinds(name: String) async throws {
        let file: Data
        switch name {
        case "AC-3": file = Self.ac3
        case "WavPack": file = try converted(RawWAV(tone(4000)).data, to: "wv")
        case "MP3 in MP4": file = Self.mp3InMP4
        default: file = (0..<20).reduce(Data()) { data, _ in data + Data([0x47, 0x1F, 0xFF, 0x10]) + Data(count: 184) }
        }
        #expect(SoundKind(of: file)?.rawValue == (name == "MP3 in MP4" ? "MP4" : name))
        do throws(DrawingError) {
            let facts = try await engine.facts(about: request(file))
            #expect(facts.kind == (name == "MP3 in MP4" ? "MP4" : name) && facts.warnings == [])
            #expect(facts.loudness != nil || facts.duration < 0.5)
        } catch {
            guard case .unusable(let problem) = error else {
                Issue.record("\(error)")
                return
            }
            let package = name == "MPEG-TS" ? "gstreamer1.0-plugins-bad" : "gstreamer1.0-"
            // A transport stream of empty packets has no sound.
            #expect(problem.code == "no-sound-decoder" || name == "MPEG-TS" && problem.code == "no-samples")
            if problem.code == "no-sound-decoder" {
                #expect(problem.message.contains("install the Debian package \(package)"))
            }
        }
    }

    /// Kinds that are recognized but not decoded are not reported as damaged, and text is not taken for one of them.
    @Test func undecodedKinds() async throws {
        let heads = [
            Data("Creative Voice File\u{1A}".utf8), Data("FORM\0\0\0\u{10}8SVXVHDR".utf8),
            Data("NIST_1A\n   1024\n".utf8),
            Data([0x64, 0xA3, 1, 0, 0, 0, 0xFA, 0x45]), Data("MAC ".utf8) + Data([0x96, 0x0F]), Data("#!AMR\n".utf8),
            Data("TTA1".utf8), Data([0x7F, 0xFE, 0x80, 1]), Data([0, 0, 1, 0xBA, 0x44]),
            Data([0x56, 0xE0, 9]) + Data(count: 9) + Data([0x56, 0xE0, 9]),
        ]
        for head in heads {
            #expect(await failure(head + Data(count: 600))?.problemCode == "undecoded-sound", "\([UInt8](head))")
        }
        #expect(
            !SoundKind.isUndecoded(Data("Vàlid text in another character set".unicodeScalars.map { UInt8($0.value) })))
    }

    /// Two frames of a tone, surrounded by silence.
    private static let ac3 =
        Data(
            base64Encoded: """
                C3dRxIBAL4QrAU76sPq78y/qxBC3WxI4//Alxt+nR4xiF6J441EntfMOCdUYaOY4uwyQ1ciUxf2Oo5mFebraE5W7tQkcXFw6bNgu
                nZUmzdMi7lEfDp5Y7RAwCFk/PcOnCsKn759TU1CtNK+fPnz4AQI7YqGU8WMepW39MDxpQD36/3d5LC+yhYYIvC9FpQAQFEAaHPdv
                uSFx20vDsJQDwC5XuoehgRJ8Kpnh9QpQAX9IgIns/SPMB12MPDhJAA+IC3fasIBAL4QpAwCFk/PcOnCsLs76FnU01L58+fPnz4y/
                v3DrwJrcNAEqEFP9qhbIBhk7EBk8uBO3tMrJABS/FSE77L3rCBup5Ke5Gsfu3wNHQFc84oEA68E+5ewlFiFfy3onlIadMEIkfNFz
                uLTKyQAT/nkOg8m1yrBMmcTDO9LcbOEDDexWPUEBAO1BzwFcRrJQg5ySVhD+rRJUDX0it7i0bEkAEf346suqEY2EeLWIasrfA0sV
                AqS4Rj1BAFtU
                """, options: .ignoreUnknownCharacters) ?? Data()

    /// 0.2 s of a tone.
    private static let mp3InMP4 =
        Data(
            base64Encoded: """
                AAAAIGZ0eXBtcDQyAAAAAG1wNDJtcDQxaXNvbWlzbzIAAAAIZnJlZQAAA+ZtZGF0//NAxAAVKKqMF1gwAAbvACK6K6EtAOgHSLdd
                4F2F/zCc31POz3k6vNIUF2JtcchyHIch/H8jEsJkwcBhZMmTuIMIEIBAEwfB8Hw+AAQBA5WD/EAY4Pn/5P+sHz+p38QAh0owmxKD
                FXH/85DEBjVzMlABnqgAJE3hEISmMYDwPZm1msGJRqiYFQPRpxCtGNkAkZvnkBwDjWGNmOMc0oJhh5AYGqSP0YNwLIGWlWBppBgZ
                +SI5RXJ3gYdIgGQR0Bj0lGJ4y4GBhCBiAPgYgFYAoOSdFfgYPBwGEQwAgCgYEAoGBgeylV/CxIGygMAgYNlBuEAgAh0X/+FwwN+E
                chikLfRSQauDEQs3//8QVDLoxwoIPiHJFAiFRyhcwrYhouX////FakOHOFzENHNGVJoc4c4mSKjmk0RYgX////+USKkVMiLEWp1h
                ZgBQAWYAAAFmACAIBgY4HYYF2J8GDYh0hh8oMoYYCOZGUIkCx9X/80DEKBtyAiQB3ygA2hAmVBD0JhcwFkYGeBOGCNglxgRIB+YD
                gAwmAcgHhgBYAmAgDWK////8U/v0/0n///bn/+v5+gSb//16iL+v6/97/9vVrt63cg0qgABgPQnWFABkCgAhgDYAUf/zMMQVEmIG
                JAD/CmSA4AG59ehnEcmA4cbh4MpRNQfsBxi//xf+3T/yf//vya//rk6nb3/+nQQdX/Z/Sj9f/Z2ZCkVGCmACgBZgAYAeLP/zUMQM
                GooCJAFfEAACeYD0BeGAuiUhgawbAYkIG+GKzj+Zkj4lGfE2PlmSwCwRgCQSSYNqCVmCkggpgBoDIYAoAAhUACFgDUwBUADaf///
                /yf36f7z///+v//TXwv3/+vUM6z+V/37/2001QkJQ6JRcLg6AABUFQRRnBoEmIAgmEL/85DEFjaKXoB/ndAANACG4x8r0wyBo0mP
                QwNNcz7aw1fEEwMAIM+oDCQa2l8Oir/+ZIQnKXrMGDN8dMOk//MuFScL8GBdHNBGoS//+hQ0t52bmOXg5wDmxjTn//+1icg6H8AC
                FEjBhhpYCFm/////mpBL3/l0OO4YcIDBYUDI4gEAShXH//////mYu/cxLIElduRlvUQmFJnKApor8XslV////////+HOZ/rnc8sM
                Nu28jDXwctynRdCKu09dt3f/3o+oiCpkGwCIwqz///QFSqoDoAiS5i/xZItEv4RBNlTxcMEiCYhgoK1aSXUL+zbKWIvzhGpd2qBA
                QEaqQYCErxmoUBb/8yDEMxQ43lQV2BgA1VeBgJREHSoKjwViI8In8AljygauLHdZ3g1yp3g1TEFNRTMuMTAwAAADLG1vb3YAAABs
                bXZoZAAAAADnL2Oj5y9jowAABwgAAAFJAAEAAAEAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAA
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAJ7dHJhawAAAFx0a2hkAAAAB+cvY6PnL2OjAAAAAQAAAAAAAAFJAAAAAAAA
                AAAAAAAAAQAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAJGVkdHMAAAAcZWxzdAAAAAAA
                AAABAAABSQAAAAAAAQAAAAABkG1kaWEAAAAgbWRoZAAAAADnL2Oj5y9jowAAViIAAA+8VcQAAAAAAC1oZGxyAAAAAAAAAABzb3Vu
                AAAAAAAAAAAAAAAAU291bmRIYW5kbGVyAAAAATttaW5mAAAAEHNtaGQAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAA
                AAx1cmwgAAAAAQAAAP9zdGJsAAAAV3N0c2QAAAAAAAAAAQAAAEdtcDRhAAAAAAAAAAEAAAAAAAAAAAABABAAAAAAViIAAAAAACNl
                c2RzAAAAAAMVAAEABA1rFQAAAAAAAAAAAH0ABgECAAAAQHN0dHMAAAAAAAAABgAAAAEAAAI/AAAAAQAAAkAAAAACAAACPwAAAAEA
                AAJAAAAAAQAAAj8AAAABAAACQAAAABxzdHNjAAAAAAAAAAEAAAABAAAABwAAAAEAAAAwc3RzegAAAAAAAAAAAAAABwAAAGgAAAEF
                AAAAaAAAAE4AAACCAAABBQAAADQAAAAUc3RjbwAAAAAAAAABAAAAMAAAAGN1ZHRhAAAAW21ldGEAAAAAAAAAIWhkbHIAAAAAbWhs
                cm1kaXIAAAAAAAAAAAAAAAAAAAAALmlsc3QAAAAmqWRlcwAAAB5kYXRhAAAAAQAAAABhdWRpb3Rlc3Qgd2F2ZQAAAD11ZHRhAAAA
                NW1ldGEAAAAAAAAAIWhkbHIAAAAAbWhscm1kaXIAAAAAAAAAAAAAAAAAAAAACGlsc3Q=
                """, options: .ignoreUnknownCharacters) ?? Data()
}
