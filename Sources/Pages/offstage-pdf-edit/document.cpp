// The job's document: the origin of its offsets, its password, and its pages.
#include "document.hpp"

#include <cstring>
#include <set>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QUtil.hh>

namespace {

/// Deeper trees count as damage.
constexpr size_t most_levels = 100;
constexpr size_t most_pages = 1000000;
constexpr size_t header_range = 1024;

bool is_space(uint8_t byte) { return byte == 0 || byte == ' ' || (byte >= 9 && byte <= 13); }
bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/// The last position of a text; `size` if it is not found.
size_t last(const uint8_t *bytes, size_t size, const char *text) {
    size_t length = strlen(text);
    for (size_t i = size; i >= length; i--)
        if (memcmp(bytes + i - length, text, length) == 0) return i - length;
    return size;
}

/// True if a cross-reference table or an object starts at a position.
bool is_table(const uint8_t *bytes, size_t size, uint64_t place, bool &is_stream) {
    if (place >= size) return false;
    size_t at = static_cast<size_t>(place);
    while (at < size && is_space(bytes[at])) at++;
    if (size - at >= 4 && memcmp(bytes + at, "xref", 4) == 0) return is_stream = false, true;
    // N G obj
    for (int i = 0; i < 2; i++) {
        size_t start = at;
        while (at < size && is_digit(bytes[at])) at++;
        if (at == start) return false;
        while (at < size && is_space(bytes[at])) at++;
    }
    return is_stream = true, size - at >= 3 && memcmp(bytes + at, "obj", 3) == 0;
}

bool read_box(QPDFObjectHandle box, page_space &space) {
    if (!box.isArray() || box.getArrayNItems() < 4) return false;
    double numbers[4];
    for (int i = 0; i < 4; i++) {
        auto item = box.getArrayItem(i);
        if (!item.isNumber()) return false;
        numbers[i] = item.getNumericValue();
    }
    space.left = std::min(numbers[0], numbers[2]);
    space.right = std::max(numbers[0], numbers[2]);
    space.bottom = std::min(numbers[1], numbers[3]);
    space.top = std::max(numbers[1], numbers[3]);
    return space.left < space.right && space.bottom < space.top;
}

/// The entries that a page inherits from its parent nodes.
struct Inherited {
    QPDFObjectHandle media, crop, rotation;

    Inherited with(QPDFObjectHandle node) const {
        Inherited own = *this;
        if (auto box = node.getKey("/MediaBox"); !box.isNull()) own.media = box;
        if (auto box = node.getKey("/CropBox"); !box.isNull()) own.crop = box;
        if (auto turns = node.getKey("/Rotate"); !turns.isNull()) own.rotation = turns;
        return own;
    }

    /// The same rules as in PDFium.
    page_space space(QPDFObjectHandle page) {
        page_space media_space = {0, 0, 612, 792, 0, 1}, crop_space = media_space;
        if (!read_box(media, media_space)) media_space = {0, 0, 612, 792, 0, 1};
        page_space space = media_space;
        if (read_box(crop, crop_space)) {
            page_space common = {
                std::max(crop_space.left, media_space.left), std::max(crop_space.bottom, media_space.bottom),
                std::min(crop_space.right, media_space.right), std::min(crop_space.top, media_space.top), 0, 1};
            if (common.left < common.right && common.bottom < common.top) space = common;
        }
        long long turns = rotation.isInitialized() && rotation.isNumber() ? static_cast<long long>(rotation.getNumericValue()) / 90 : 0;
        space.rotation = static_cast<int>((turns % 4 + 4) % 4);
        auto unit = page.getKey("/UserUnit");
        space.unit = unit.isNumber() && unit.getNumericValue() > 0 && unit.getNumericValue() < 1e6 ? unit.getNumericValue() : 1;
        return space;
    }
};

}

Document::Document(const uint8_t *bytes, size_t size, const std::string &password) : bytes(bytes), size(size) {
    find_table();
    open(password);
    find_pages();
}

void Document::find_table() {
    size_t header = 0;
    while (header + 5 < size && header < header_range && memcmp(bytes + header, "%PDF-", 5) != 0) header++;
    if (header + 5 >= size || header == header_range) header = 0;
    size_t at = last(bytes, size, "startxref");
    origin = header;
    if (at == size) return;
    at += strlen("startxref");
    while (at < size && is_space(bytes[at])) at++;
    for (; at < size && is_digit(bytes[at]) && table < UINT64_MAX / 100; at++) table = 10 * table + (bytes[at] - '0');
    if (header == 0 || is_table(bytes, size, table + header, has_stream)) {
        if (header == 0) is_table(bytes, size, table, has_stream);
        return;
    }
    if (!is_table(bytes, size, table, has_stream)) return;
    // The library counts from the header. With a header at byte 0, both are the same.
    origin = 0;
    copy.assign(reinterpret_cast<const char *>(bytes), size);
    copy.replace(0, 8, "%PDF-1.7");
    if (header > 8) copy[8] = '\n';
}

void Document::open(const std::string &password) {
    auto candidates = QUtil::possible_repaired_encodings(password);
    // Passing a password is harmless if the document needs none.
    candidates.push_back("");
    const char *content = copy.empty() ? reinterpret_cast<const char *>(bytes) : copy.data();
    for (const auto &candidate : candidates) {
        pdf = std::make_unique<QPDF>();
        pdf->setSuppressWarnings(true);
        try {
            pdf->processMemoryFile("document", content, size, candidate.c_str());
            return;
        } catch (QPDFExc &error) {
            if (error.getErrorCode() == qpdf_e_unsupported) throw Failure{OFFSTAGE_PAGES_ENCRYPTION, 0};
            if (error.getErrorCode() != qpdf_e_password) throw Failure{OFFSTAGE_PAGES_NOT_SAVED, 0};
        }
    }
    throw Failure{OFFSTAGE_PAGES_PASSWORD, !password.empty()};
}

void Document::find_pages() {
    struct Node {
        QPDFObjectHandle object;
        Inherited inherited;
        size_t level;
    };
    std::vector<Node> nodes;
    std::set<QPDFObjGen> seen;
    auto root = pdf->getRoot().getKey("/Pages");
    nodes.push_back({root, Inherited(), 0});
    while (!nodes.empty()) {
        auto [node, above, level] = nodes.back();
        nodes.pop_back();
        if (!node.isDictionary()) continue;
        auto kids = node.getKey("/Kids");
        auto own = above.with(node);
        if (!kids.isArray()) {
            // The same page listed twice is two pages.
            if (pages.size() < most_pages) pages.push_back({node, own.space(node)});
            continue;
        }
        if (level > most_levels || (node.isIndirect() && !seen.insert(node.getObjGen()).second)) continue;
        for (int i = kids.getArrayNItems() - 1; i >= 0; i--) nodes.push_back({kids.getArrayItem(i), own, level + 1});
    }
    if (pages.empty()) throw Failure{OFFSTAGE_PAGES_NOT_SAVED, 0};
}

bool Document::is_repaired() const {
    for (const auto &warning : pdf->getWarnings())
        if (warning.getMessageDetail().find("reconstruct") != std::string::npos) return true;
    return false;
}
