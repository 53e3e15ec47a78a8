// The end of an update: a cross-reference table, or a stream if the document uses one.
#include "table.hpp"

#include <map>

namespace {

constexpr int most_levels = 200;

struct Entry {
    /// 1 for an object in the file, 2 for one in a stream of objects.
    uint8_t kind;
    /// The offset and the generation, or the stream and the index.
    uint64_t first;
    uint32_t second;
};

using Entries = std::map<uint32_t, Entry>;

/// Adds all objects of a document whose table is damaged.
void add_old(Entries &entries, QPDF &pdf) {
    for (auto &[object, old] : pdf.getXRefTable()) {
        auto number = static_cast<uint32_t>(object.getObj());
        if (old.getType() == 1)
            entries[number] = {1, static_cast<uint64_t>(old.getOffset()), static_cast<uint32_t>(object.getGen())};
        else if (old.getType() == 2)
            entries[number] = {
                2, static_cast<uint64_t>(old.getObjStreamNumber()), static_cast<uint32_t>(old.getObjStreamIndex())};
    }
}

void add_trailer(Document &document, pdf_writer &writer, uint32_t size, bool is_continued) {
    auto trailer = document.pdf->getTrailer();
    pdf_format(&writer.out, "/Size %u ", size);
    if (is_continued) pdf_format(&writer.out, "/Prev %llu ", static_cast<unsigned long long>(document.table));
    // The cross-reference stream is not encrypted.
    auto cipher = writer.cipher;
    writer.cipher = nullptr;
    for (const char *key : {"/Root", "/Info", "/ID", "/Encrypt"}) {
        auto value = trailer.getKey(key);
        if (value.isNull()) continue;
        pdf_format(&writer.out, "%s ", key);
        add_value(writer, value);
        pdf_text(&writer.out, " ");
    }
    writer.cipher = cipher;
}

/// The end of the run of consecutive numbers that starts at an entry.
Entries::const_iterator section_end(const Entries &entries, Entries::const_iterator start) {
    auto number = start->first;
    while (start != entries.end() && start->first == number) start++, number++;
    return start;
}

void add_plain(Document &document, pdf_writer &writer, const Entries &entries, bool is_continued) {
    pdf_text(&writer.out, "xref\n");
    if (!is_continued) pdf_text(&writer.out, "0 1\n0000000000 65535 f \n");
    for (auto start = entries.begin(); start != entries.end();) {
        auto end = section_end(entries, start);
        pdf_format(&writer.out, "%u %zu\n", start->first, static_cast<size_t>(std::distance(start, end)));
        for (; start != end; start++)
            pdf_format(
                &writer.out, "%010llu %05u n \n", static_cast<unsigned long long>(start->second.first), start->second.second);
    }
    pdf_text(&writer.out, "trailer\n<< ");
    add_trailer(document, writer, writer.next, is_continued);
    pdf_text(&writer.out, ">>\n");
}

void add_stream(Document &document, pdf_writer &writer, Entries &entries, uint64_t place, bool is_continued) {
    uint32_t own = pdf_reserve(&writer);
    entries[own] = {1, place, 0};
    int width = 1;
    for (auto &[number, entry] : entries)
        while (width < 8 && entry.first >> (8 * width)) width++;
    std::string bytes, index;
    for (auto start = entries.cbegin(); start != entries.cend();) {
        auto end = section_end(entries, start);
        index += std::to_string(start->first) + " " + std::to_string(std::distance(start, end)) + " ";
        for (; start != end; start++) {
            const auto &entry = start->second;
            bytes += static_cast<char>(entry.kind);
            for (int i = width - 1; i >= 0; i--) bytes += static_cast<char>(entry.first >> (8 * i));
            for (int i = 3; i >= 0; i--) bytes += static_cast<char>(entry.second >> (8 * i));
        }
    }
    pdf_writer dictionary{};
    dictionary.next = writer.next;
    add_trailer(document, dictionary, writer.next, is_continued);
    pdf_format(&dictionary.out, "/Type /XRef /W [1 %d 4] /Index [", width);
    pdf_add(&dictionary.out, index.data(), index.size());
    pdf_text(&dictionary.out, "] ");
    auto cipher = writer.cipher;
    writer.cipher = nullptr;
    pdf_stream(&writer, own, &dictionary.out, reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    pdf_writer_free(&dictionary);
    writer.cipher = cipher;
}

void add_level(pdf_writer &writer, QPDFObjectHandle value, bool is_top, int level) {
    auto out = &writer.out;
    if (level > most_levels) return pdf_text(out, "null");
    if (value.isIndirect() && !is_top) {
        pdf_format(out, "%d %d R", value.getObjectID(), value.getGeneration());
    } else if (value.isString()) {
        auto text = value.getStringValue();
        pdf_bytes(&writer, reinterpret_cast<const uint8_t *>(text.data()), text.size());
    } else if (value.isArray()) {
        pdf_text(out, "[");
        for (int i = 0, count = value.getArrayNItems(); i < count; i++) {
            add_level(writer, value.getArrayItem(i), false, level + 1);
            pdf_text(out, " ");
        }
        pdf_text(out, "]");
    } else if (value.isDictionary()) {
        pdf_text(out, "<< ");
        for (const auto &key : value.getKeys()) {
            pdf_text(out, QPDFObjectHandle::newName(key).unparse().c_str());
            pdf_text(out, " ");
            add_level(writer, value.getKey(key), false, level + 1);
            pdf_text(out, " ");
        }
        pdf_text(out, ">>");
    } else if (value.isStream()) pdf_text(out, "null");
    else pdf_text(out, value.unparseResolved().c_str());
}

}

void add_value(pdf_writer &writer, QPDFObjectHandle value, bool is_top) { add_level(writer, value, is_top, 0); }

void add_table(Document &document, pdf_writer &writer, uint64_t base) {
    bool is_continued = !document.is_repaired() && document.table > 0;
    Entries entries;
    if (!is_continued) add_old(entries, *document.pdf);
    for (size_t i = 0; i < writer.entry_count; i++) {
        const auto &entry = writer.entries[i];
        entries[entry.number] = {1, base + entry.offset, entry.generation};
    }
    bool has_packed = false;
    for (auto &[number, entry] : entries) has_packed |= entry.kind == 2;
    uint64_t place = base + writer.out.size;
    if (is_continued ? document.has_stream : has_packed) add_stream(document, writer, entries, place, is_continued);
    else add_plain(document, writer, entries, is_continued);
    pdf_format(&writer.out, "startxref\n%llu\n%%%%EOF\n", static_cast<unsigned long long>(place));
}
