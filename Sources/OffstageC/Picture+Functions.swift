// swift-format-ignore-file: AlwaysUseLowerCamelCase

import COffstage
import CWebKitGTK

// The functions of offstage.h that have to do with pictures. What each does stands there.

extension PictureHandle {
    fileprivate static func of(_ pointer: OpaquePointer?) -> PictureHandle {
        guard let pointer else { fatalError("offstage: the picture is NULL") }
        return Unmanaged.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

@c @implementation public func offstage_picture_ref(_ picture: OpaquePointer!) -> OpaquePointer! {
    PictureHandle.of(picture).retainedPointer()
}

@c @implementation public func offstage_picture_unref(_ picture: OpaquePointer!) {
    if let picture { Unmanaged<PictureHandle>.fromOpaque(UnsafeRawPointer(picture)).release() }
}

@c @implementation public func offstage_picture_get_width(_ picture: OpaquePointer!) -> Int32 {
    Int32(PictureHandle.of(picture).size.width)
}

@c @implementation public func offstage_picture_get_height(_ picture: OpaquePointer!) -> Int32 {
    Int32(PictureHandle.of(picture).size.height)
}

@c @implementation public func offstage_picture_get_scale(_ picture: OpaquePointer!) -> Double {
    PictureHandle.of(picture).scale
}

@c @implementation public func offstage_picture_get_pixels(
    _ picture: OpaquePointer!, _ stride: UnsafeMutablePointer<Int32>!
) -> UnsafePointer<guint8>! {
    let pixmap = PictureHandle.of(picture).pixmap
    if let stride { stride.pointee = Int32(pixmap?.bytesPerRow ?? 0) }
    return pixmap?.address.assumingMemoryBound(to: guint8.self)
}

@c @implementation public func offstage_picture_get_bytes(
    _ picture: OpaquePointer!, _ length: UnsafeMutablePointer<gsize>!
) -> UnsafePointer<guint8>! {
    let bytes = PictureHandle.of(picture).bytes
    if let length { length.pointee = gsize(bytes?.count ?? 0) }
    return bytes?.baseAddress?.assumingMemoryBound(to: guint8.self)
}

@c @implementation public func offstage_picture_get_path(_ picture: OpaquePointer!) -> UnsafePointer<CChar>! {
    PictureHandle.of(picture).path?.pointer
}

@c @implementation public func offstage_picture_get_format(_ picture: OpaquePointer!) -> UnsafePointer<CChar>! {
    PictureHandle.of(picture).format?.pointer
}

@c @implementation public func offstage_picture_is_complete(_ picture: OpaquePointer!) -> gboolean {
    PictureHandle.of(picture).isComplete ? 1 : 0
}

@c @implementation public func offstage_picture_get_report(_ picture: OpaquePointer!) -> UnsafePointer<CChar>! {
    PictureHandle.of(picture).report.pointer
}

@c @implementation public func offstage_picture_get_next(_ picture: OpaquePointer!) -> OpaquePointer! {
    PictureHandle.of(picture).next?.pointer
}

@c @implementation public func offstage_picture_get_part(_ picture: OpaquePointer!) -> Int32 {
    Int32(PictureHandle.of(picture).part)
}
