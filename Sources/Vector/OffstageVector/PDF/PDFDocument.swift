internal import CQPDF
import Foundation
import Offstage

/// An editable PDF document in memory (libqpdf). Use it from one thread.
///
/// qpdf identifies objects by handles, which are valid as long as the document.
final class PDFDocument {
    typealias Object = qpdf_oh

    let pointer: qpdf_data
    /// The file's bytes, which qpdf reads until the document is released.
    private let memory: UnsafeMutableRawBufferPointer

    init(_ data: Data) throws(EncodingError) {
        memory = .allocate(byteCount: max(1, data.count), alignment: 16)
        memory.copyBytes(from: data)
        pointer = qpdf_init()
        qpdf_silence_errors(pointer)
        qpdf_set_suppress_warnings(pointer, QPDF_TRUE)
        let bytes = memory.baseAddress!.assumingMemoryBound(to: CChar.self)
        _ = qpdf_read_memory(pointer, "drawing", bytes, UInt64(data.count), nil)
        try check()
    }

    deinit {
        var pointer: qpdf_data? = pointer
        qpdf_cleanup(&pointer)
        memory.deallocate()
    }

    func check() throws(EncodingError) {
        guard qpdf_has_error(pointer) == QPDF_TRUE, let error = qpdf_get_error(pointer) else { return }
        throw EncodingError("qpdf: \(String(cString: qpdf_get_error_full_text(pointer, error)))")
    }

    /// Returns the file. The same objects give the same bytes; unreferenced objects are removed.
    func written() throws(EncodingError) -> Data {
        _ = qpdf_init_write_memory(pointer)
        try check()
        qpdf_set_deterministic_ID(pointer, QPDF_TRUE)
        qpdf_set_object_stream_mode(pointer, qpdf_o_generate)
        _ = qpdf_write(pointer)
        try check()
        return Data(bytes: qpdf_get_buffer(pointer), count: qpdf_get_buffer_length(pointer))
    }

    var pageCount: Int { Int(qpdf_get_num_pages(pointer)) }

    func page(_ index: Int) -> Object { qpdf_get_page_n(pointer, index) }

    func remove(page: Object) { _ = qpdf_remove_page(pointer, page) }

    /// All indirect objects.
    var objects: [Object] {
        // A new object has the highest number. Nothing refers to it, so it is not written.
        let last = number(of: indirect(object("null")))
        return (1..<max(1, last)).map(numbered)
    }

    /// An entry of a dictionary or of a stream's dictionary. Null if it is missing or the object is of another type.
    subscript(_ object: Object, _ key: String) -> Object {
        get { qpdf_oh_get_key_if_dict(pointer, dictionary(of: object), "/" + key) }
        set { qpdf_oh_replace_key(pointer, dictionary(of: object), "/" + key, newValue) }
    }

    private func dictionary(of object: Object) -> Object {
        isStream(object) ? qpdf_oh_get_dict(pointer, object) : object
    }

    func isStream(_ object: Object) -> Bool { qpdf_oh_is_stream(pointer, object) == QPDF_TRUE }
    func isDictionary(_ object: Object) -> Bool { qpdf_oh_is_dictionary(pointer, object) == QPDF_TRUE }
    func isNull(_ object: Object) -> Bool { qpdf_oh_is_null(pointer, object) == QPDF_TRUE }
    func isName(_ object: Object, _ name: String) -> Bool {
        qpdf_oh_is_name_and_equals(pointer, object, "/" + name) == QPDF_TRUE
    }

    /// The object's number; 0 for a direct object.
    func number(of object: Object) -> Int { Int(qpdf_oh_get_object_id(pointer, object)) }

    func keys(of dictionary: Object) -> [String] {
        guard isDictionary(dictionary) else { return [] }
        var keys: [String] = []
        qpdf_oh_begin_dict_key_iter(pointer, dictionary)
        while qpdf_oh_dict_more_keys(pointer) == QPDF_TRUE {
            keys.append(String(String(cString: qpdf_oh_dict_next_key(pointer)).dropFirst()))
        }
        return keys
    }

    func items(of array: Object) -> [Object] {
        guard qpdf_oh_is_array(pointer, array) == QPDF_TRUE else { return [] }
        return (0..<qpdf_oh_get_array_n_items(pointer, array)).map { qpdf_oh_get_array_item(pointer, array, $0) }
    }

    func numbers(of array: Object) -> [Double] { items(of: array).map { qpdf_oh_get_numeric_value(pointer, $0) } }

    /// 0 if the object is not a number.
    func number(_ object: Object) -> Double { qpdf_oh_get_numeric_value(pointer, object) }

    /// 0 if the object is not an integer.
    func integer(_ object: Object) -> Int { Int(qpdf_oh_get_int_value_as_int(pointer, object)) }

    /// Nil if the object is not a name.
    func name(_ object: Object) -> String? {
        guard qpdf_oh_is_name(pointer, object) == QPDF_TRUE else { return nil }
        return String(String(cString: qpdf_oh_get_name(pointer, object)).dropFirst())
    }

    func remove(_ key: String, from dictionary: Object) { qpdf_oh_remove_key(pointer, dictionary, "/" + key) }

    func append(_ item: Object, to array: Object) { qpdf_oh_append_item(pointer, array, item) }

    func numbered(_ number: Int) -> Object { qpdf_get_object_by_id(pointer, Int32(number), 0) }

    /// Removes the dates of creation and modification.
    func forgetDates() {
        for key in ["/CreationDate", "/ModDate"] { qpdf_set_info_key(pointer, key, nil) }
    }

    /// - Parameters:
    ///   - title: shown by readers instead of the file's name; nil for none.
    ///   - language: the language of the text; nil if unknown.
    func describe(title: String?, language: String?) {
        let root = qpdf_get_root(pointer)
        if let language { self[root, "Lang"] = text(language) }
        guard let title else { return }
        let trailer = qpdf_get_trailer(pointer)
        if !isDictionary(self[trailer, "Info"]) { self[trailer, "Info"] = indirect(object("<< >>")) }
        self[self[trailer, "Info"], "Title"] = text(title)
        self[root, "ViewerPreferences"] = object("<< /DisplayDocTitle true >>")
    }

    /// Parses an object in PDF notation, without references.
    func object(_ text: String) -> Object { qpdf_oh_parse(pointer, text) }

    /// Returns an object in PDF notation.
    func notation(of object: Object) -> Data { Data(String(cString: qpdf_oh_unparse_resolved(pointer, object)).utf8) }

    func text(of string: Object) -> String { String(cString: qpdf_oh_get_utf8_value(pointer, string)) }

    func text(_ text: String) -> Object { qpdf_oh_new_unicode_string(pointer, text) }

    func indirect(_ object: Object) -> Object { qpdf_make_indirect_object(pointer, object) }

    /// The decompressed data. Nil for an image, which remains unchanged, and if the object is not a stream.
    func content(of stream: Object) -> Data? {
        guard isStream(stream) else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        var isDecoded = QPDF_FALSE
        _ = qpdf_oh_get_stream_data(pointer, stream, qpdf_dl_generalized, &isDecoded, &bytes, &count)
        defer { free(bytes) }
        guard let bytes, isDecoded == QPDF_TRUE else { return nil }
        return Data(bytes: bytes, count: count)
    }

    func content(ofPage page: Object) throws(EncodingError) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        _ = qpdf_oh_get_page_content_data(pointer, page, &bytes, &count)
        defer { free(bytes) }
        try check()
        return bytes.map { Data(bytes: $0, count: count) } ?? Data()
    }

    func stream(_ content: Data) -> Object {
        let stream = qpdf_oh_new_stream(pointer)
        replace(contentOf: stream, by: content)
        return stream
    }

    func replace(contentOf stream: Object, by content: Data) {
        content.withUnsafeBytes {
            qpdf_oh_replace_stream_data(
                pointer, stream, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count,
                qpdf_oh_new_null(pointer), qpdf_oh_new_null(pointer))
        }
    }
}
