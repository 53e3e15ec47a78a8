import Foundation
import Offstage
import OffstageSound

/// The options of sounds.
enum SoundOptions {
    /// The options that rows may have, too.
    static let table = size + appearance + loading
    static let all = table + limits

    private static let size: [TypedOption<SoundSettings>] =
        ([
            .init("waveform", .choice, help: "Draw sounds in this form (default bars)") { $0.style.shape = $1 },
            .init(
                "width", .integer(RequestOptions.side, "PX"), help: RequestOptions.widthHelp
            ) {
                $0.style.width = $1
            },
            .init(
                "height", .integer(RequestOptions.side, "PX"), help: RequestOptions.heightHelp
            ) {
                $0.style.height = $1
            },
            .init("from", .time, help: "Begin a waveform at this time of the sound, such as 1:30 or 90 (default 0)") {
                $0.style.from = $1
            },
            .init("to", .time, help: "End a waveform at this time of the sound (default its end)") { $0.style.to = $1 },
            .init(
                "track", .integer(1...10_000),
                help: "Draw this sound track of a video, from 1 (default the first one that can be decoded)"
            ) { $0.waveform.track = $1 },
            RequestOptions.scale(\.waveform.scale),
            .init(
                "samples-per-pixel", .integer(1...(1 << 24)),
                help: "Merge N samples into each value of --format dat and json (default 256)"
            ) { $0.waveform.framesPerPeak = $1 },
            .init(
                "pixels-per-second", .integer(1...384_000),
                help: "Write N values of --format dat and json for each second, instead of --samples-per-pixel"
            ) { $0.waveform.peaksPerSecond = $1 },
        ] + RequestOptions.edges(\.waveform.margins)).grouped(.size)

    private static let appearance: [TypedOption<SoundSettings>] =
        (bars + [
            .init("align", .choice, help: "Align peaks to this edge or to the middle of a waveform (default center)") {
                $0.style.alignment = $1
            },
            .init("no-mirror", help: "Draw the highest and the lowest samples, not the larger of them mirrored") {
                $0.style.isMirrored = false
            },
            .init("split-channels", help: "Draw a waveform for each channel, one below the other") {
                $0.style.splitsChannels = true
            },
            .init("rms", help: "Draw the root mean square inside the peaks") { $0.style.showsRMS = true },
            .init("show-clipping", help: "Draw peaks with clipped samples in the clipping colour") {
                $0.style.showsClipping = true
            },
            .init("amplitude", .choice, help: "Draw peaks on this scale; decibels from -60 dB (default linear)") {
                $0.style.amplitude = $1
            },
            .init("normalize", help: "Make the loudest peak as high as the waveform") { $0.style.isNormalized = true },
            .init("played", .number(0...1), help: "Draw this share of a waveform as played, 0 to 1 (default 0)") {
                $0.style.played = $1
            },
            .init("marker", .times, help: "Draw a line at this time of the sound; repeatable") {
                $0.style.markers = $1
            },
            .init("region", .regions, help: "Put a colour behind this part of the sound; repeatable") {
                $0.style.regions = $1
            },
            .init("axis", help: "Draw times below a waveform") { $0.style.showsAxis = true },
        ] + colors).grouped(.appearance)

    private static let bars: [TypedOption<SoundSettings>] = [
        .init("bar-width", .number(0.25...1000), help: "Make bars N CSS px wide (default 3)") {
            $0.style.barWidth = $1
        },
        .init("bar-gap", .number(0...1000), help: "Put N CSS px between two bars (default 2)") { $0.style.barGap = $1 },
        .init("bar-radius", .number(0...1000), help: "Round the corners of bars by N CSS px (default 1.5)") {
            $0.style.barRadius = $1
        },
        .init("min-bar-height", .number(0...1000), help: "Draw silence N CSS px high (default 2)") {
            $0.style.minimumHeight = $1
        },
        .init("line-width", .number(0.25...1000), help: "Make the line of --waveform line N CSS px wide (default 1)") {
            $0.style.lineWidth = $1
        },
    ]

    private static let colors: [TypedOption<SoundSettings>] = [
        .init("color-scheme", .choice, help: "Draw waveforms for this background (default light)") {
            $0.scheme = $1
        },
        .init("wave-color", .paint, help: "Draw the unplayed part in this colour, or in a gradient of two") {
            $0.waveColor = $1
        },
        .init("played-color", .paint, help: "Draw the played part in this colour, or in a gradient of two") {
            $0.playedColor = $1
        },
        .init("clipping-color", .color, help: "Draw peaks with clipped samples in this colour, with --show-clipping") {
            $0.clippingColor = $1
        },
        .init("background", .color, help: "Put this CSS colour behind a waveform (default transparent)") {
            $0.background = $1
        },
    ]

    private static let loading: [TypedOption<SoundSettings>] = [
        RequestOptions.timeout(\.waveform.limits.budget.seconds), RequestOptions.strict(\.waveform.requiresComplete),
    ].grouped(.loading)

    /// The options that limit a sound. Only the command line has them.
    static let limits: [TypedOption<SoundSettings>] =
        (RequestOptions.worker(\.waveform.limits.budget) + [
            .init("max-seconds", .seconds(upTo: 31_622_400), help: "Reject sounds longer than this (default 86400)") {
                $0.waveform.limits.soundSeconds = $1
            }
        ]).grouped(.limits)
}

/// The background for which a waveform is made.
enum WaveformScheme: String, CaseIterable, Sendable {
    case light, dark
}
