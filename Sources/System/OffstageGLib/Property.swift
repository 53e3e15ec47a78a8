import CGLib

/// Sets a GObject's property. Swift cannot call `g_object_set`, which is variadic.
package func setProperty<Object>(_ name: String, of object: UnsafeMutablePointer<Object>, to value: some PropertyValue)
{
    var box = GValue()
    value.fill(&box)
    g_object_set_property(cast(object), name, &box)
    g_value_unset(&box)
}

/// A value of a GObject property.
package protocol PropertyValue {
    /// Initialises the empty `value` with this type and value.
    func fill(_ value: inout GValue)
}

extension Bool: PropertyValue {
    package func fill(_ value: inout GValue) {
        g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN, a macro
        g_value_set_boolean(&value, self ? 1 : 0)
    }
}

extension Int32: PropertyValue {
    package func fill(_ value: inout GValue) {
        g_value_init(&value, GType(6 << 2))  // G_TYPE_INT
        g_value_set_int(&value, self)
    }
}

extension String: PropertyValue {
    package func fill(_ value: inout GValue) {
        g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING
        g_value_set_string(&value, self)
    }
}
