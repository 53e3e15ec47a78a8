// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CGLib
import COffstage

// The functions of offstage.h for pictures. That header documents them.

extension PictureHandle {
    /// - Parameter function: the function that received the argument.
    fileprivate static func of(_ pointer: OpaquePointer?, function: String = #function) -> PictureHandle? {
        guard let pointer else {
            reportNull("picture", function)
            return nil
        }
        return Unmanaged.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

/// Reports an argument that must not be NULL, as GLib's functions do: with a critical message.
///
/// - Parameter function: the value of `#function`.
func reportNull(_ argument: String, _ function: String) {
    g_return_if_fail_warning("Offstage", String(function.prefix { $0 != "(" }), "\(argument) != NULL")
}

@c @implementation public func offstage_picture_ref(_ picture: OpaquePointer!) -> OpaquePointer! {
    PictureHandle.of(picture)?.retainedPointer()
}

@c @implementation public func offstage_picture_unref(_ picture: OpaquePointer!) {
    if let picture { Unmanaged<PictureHandle>.fromOpaque(UnsafeRawPointer(picture)).release() }
}

@c @implementation public func offstage_picture_get_width(_ picture: OpaquePointer!) -> Int32 {
    Int32(PictureHandle.of(picture)?.size.width ?? 0)
}

@c @implementation public func offstage_picture_get_height(_ picture: OpaquePointer!) -> Int32 {
    Int32(PictureHandle.of(picture)?.size.height ?? 0)
}

@c @implementation public func offstage_picture_get_scale(_ picture: OpaquePointer!) -> Double {
    PictureHandle.of(picture)?.scale ?? 0
}

@c @implementation public func offstage_picture_get_pixels(
    _ picture: OpaquePointer!, _ stride: UnsafeMutablePointer<Int32>!
) -> UnsafePointer<guint8>! {
    let pixmap = PictureHandle.of(picture)?.pixmap
    if let stride { stride.pointee = Int32(pixmap?.bytesPerRow ?? 0) }
    return pixmap?.address.assumingMemoryBound(to: guint8.self)
}

@c @implementation public func offstage_picture_get_bytes(
    _ picture: OpaquePointer!, _ length: UnsafeMutablePointer<gsize>!
) -> UnsafePointer<guint8>! {
    let bytes = PictureHandle.of(picture)?.bytes
    if let length { length.pointee = gsize(bytes?.count ?? 0) }
    return bytes?.baseAddress?.assumingMemoryBound(to: guint8.self)
}

@c @implementation public func offstage_picture_get_path(_ picture: OpaquePointer!) -> UnsafePointer<CChar>! {
    PictureHandle.of(picture)?.path?.pointer
}

@c @implementation public func offstage_picture_get_format(_ picture: OpaquePointer!) -> UnsafePointer<CChar>! {
    PictureHandle.of(picture)?.format?.pointer
}

@c @implementation public func offstage_picture_is_complete(_ picture: OpaquePointer!) -> gboolean {
    PictureHandle.of(picture)?.isComplete == true ? 1 : 0
}

@c @implementation public func offstage_picture_get_report(_ picture: OpaquePointer!) -> UnsafePointer<CChar>! {
    PictureHandle.of(picture)?.report.pointer
}

@c @implementation public func offstage_picture_get_next(_ picture: OpaquePointer!) -> OpaquePointer! {
    PictureHandle.of(picture)?.next?.pointer
}

@c @implementation public func offstage_picture_get_part(_ picture: OpaquePointer!) -> Int32 {
    Int32(PictureHandle.of(picture)?.part ?? 0)
}
