/// The options of the program audiowaveform that have a different name here.
enum Audiowaveform {
    /// - Parameter option: its name, with or without dashes.
    /// - Returns: the replacement; nil for another option.
    static func advice(for option: String) -> String? { advice[option.drop { $0 == "-" }.lowercased()] }

    private static let advice = [
        "background-color": "use --background", "waveform-color": "use --wave-color", "start": "use --from",
        "end": "use --to", "zoom": "use --samples-per-pixel for a waveform, or --scale for other pictures",
        "bits": "use --format dat:bits=8 or json:bits=8",
        "waveform-style": "use --waveform", "bar-style": "use --bar-radius", "with-axis-labels": "use --axis",
        "no-axis-labels": "leave it out: times are drawn only with --axis", "axis-label-color": "use --color-scheme",
        "border-color": "leave it out: no border is drawn", "amplitude-scale": "use --normalize",
        "colors": "use --color-scheme, --wave-color and --background",
        "input-filename": "give the file's name without an option",
        "input-format": "leave it out: the content decides the kind", "output-filename": "use -o",
        "output-format": "use --format",
    ]
}
