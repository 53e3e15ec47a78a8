/// An option with its type: one declaration of its name, its value, its help and its effect on the settings of a source.
package struct TypedOption<Target>: Sendable {
    package var option: OptionTable.Option
    /// Applies the option. Does nothing if it is not given.
    package let apply: @Sendable (ParsedOptions, inout Target) throws(UsageError) -> Void

    /// An option with a value.
    package init<Value>(
        _ name: String, _ value: OptionValue<Value>, help: String,
        set: @escaping @Sendable (inout Target, Value) -> Void
    ) {
        option = OptionTable.Option(name, value: value.placeholder, isRepeatable: value.isList, help: help) {
            options throws(UsageError) in
            _ = try value.read(options, name)
        }
        apply = { options, target throws(UsageError) in
            guard let value = try value.read(options, name) else { return }
            set(&target, value)
        }
    }

    /// The option with an additional check of values on a command line.
    func checked(
        _ further: @escaping @Sendable (ParsedOptions, _ name: String) throws(UsageError) -> Void
    ) -> Self {
        var checked = self
        let (first, name) = (option.check, option.name)
        checked.option.check = { options throws(UsageError) in
            try first(options)
            try further(options, name)
        }
        return checked
    }

    /// A switch.
    package init(_ name: String, help: String, set: @escaping @Sendable (inout Target) -> Void) {
        option = OptionTable.Option(name, help: help)
        apply = { options, target throws(UsageError) in
            if options.has(name) { set(&target) }
        }
    }
}

/// The type of an option's value: its name in `--help`, and the way to read it.
package struct OptionValue<Value>: Sendable {
    package let placeholder: String
    package var isList = false
    /// Returns nil if the option is not given. The error names the valid values.
    package let read: @Sendable (ParsedOptions, _ name: String) throws(UsageError) -> Value?

    /// - Parameter placeholder: the value's name in `--help`. It determines the type of a row's key; see `ValueKind`.
    package init(
        _ placeholder: String, isList: Bool = false,
        read: @escaping @Sendable (ParsedOptions, _ name: String) throws(UsageError) -> Value?
    ) {
        self.placeholder = placeholder
        self.isList = isList
        self.read = read
    }

    /// A text that `convert` accepts.
    ///
    /// - Parameter kind: the valid values, for the message: `a language tag such as de`.
    package static func text(
        _ placeholder: String, _ kind: String, convert: @escaping @Sendable (String) -> Value?
    ) -> Self {
        Self(placeholder) { options, name throws(UsageError) in
            guard let text = options.string(name) else { return nil }
            if let value = convert(text) { return value }
            throw UsageError("--\(name) takes \(kind), not '\(text.excerpt)'")
        }
    }
}

extension OptionValue<String> {
    /// Any text.
    package static func text(_ placeholder: String) -> Self {
        Self(placeholder) { options, name throws(UsageError) in options.string(name) }
    }
}

extension OptionValue<Int> {
    package static func integer(_ range: ClosedRange<Int>, _ placeholder: String = "N") -> Self {
        Self(placeholder) { options, name throws(UsageError) in try options.integer(name, in: range) }
    }
}

extension OptionValue<Double> {
    package static func number(_ range: ClosedRange<Double>) -> Self {
        Self("N") { options, name throws(UsageError) in try options.number(name, in: range) }
    }

    /// More than 0.
    package static func seconds(upTo limit: Double = 86_400) -> Self {
        Self("SECONDS") { options, name throws(UsageError) in try options.positive(name, upTo: limit) }
    }
}

extension OptionValue where Value: CaseIterable & RawRepresentable<String> & SendableMetatype {
    /// One of the raw values of the type.
    package static var choice: Self {
        Self(Value.allCases.map(\.rawValue).joined(separator: "|")) { options, name throws(UsageError) in
            try options.choice(name)
        }
    }
}

extension Array {
    /// Puts these options under a heading.
    package func grouped<Target>(_ group: OptionGroup) -> Self where Element == TypedOption<Target> {
        map { one in
            var one = one
            one.option.group = group
            return one
        }
    }

    /// The declarations of these options, without their effects.
    package func declarations<Target>() -> [OptionTable.Option] where Element == TypedOption<Target> { map(\.option) }

    /// Applies the options, in the order of the table.
    package func apply<Target>(
        _ options: ParsedOptions, to target: inout Target
    ) throws(UsageError) where Element == TypedOption<Target> {
        for one in self { try one.apply(options, &target) }
    }
}
