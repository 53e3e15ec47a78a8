// An incremental update: the old bytes stay unchanged, and the changed objects follow them.
#include "save.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "cipher.hpp"
#include "list.hpp"
#include "table.hpp"

namespace {

/// If a page's dictionary is longer, its annotations become a separate object, so that updates need not repeat it.
constexpr size_t long_page = 600;

/// An existing or new annotation of the page.
struct Item {
    /// Uninitialized for a new annotation.
    QPDFObjectHandle old;
    /// NULL for an unchanged annotation.
    const annotation *changed = nullptr;
    bool is_removed = false;
};

struct Wish {
    annotation value;
    const uint8_t *bytes;
    size_t size;
};

/// Throws for a document that must not be changed.
void check_rights(QPDF &pdf) {
    auto permissions = pdf.getRoot().getKey("/Perms");
    auto signature = permissions.isDictionary() ? permissions.getKey("/DocMDP") : QPDFObjectHandle::newNull();
    auto references = signature.isDictionary() ? signature.getKey("/Reference") : QPDFObjectHandle::newNull();
    for (int i = 0; references.isArray() && i < references.getArrayNItems(); i++) {
        auto reference = references.getArrayItem(i);
        if (!reference.isDictionary()) continue;
        auto method = reference.getKey("/TransformMethod"), parameters = reference.getKey("/TransformParams");
        if (!method.isName() || method.getName() != "/DocMDP") continue;
        auto allowed = parameters.isDictionary() ? parameters.getKey("/P") : QPDFObjectHandle::newNull();
        long long level = allowed.isInteger() ? allowed.getIntValue() : 2;
        if (level != 3) throw Failure{OFFSTAGE_PAGES_CERTIFIED, level == 1 ? 1u : 2u};
    }
    if (pdf.isEncrypted() && !pdf.ownerPasswordMatched() && !pdf.allowModifyAnnotation()) throw Failure{OFFSTAGE_PAGES_FORBIDDEN, 0};
}

/// Keeps the entries of a changed annotation that don't affect its look.
void keep_entries(void *context, pdf_writer *writer) {
    auto &old = *static_cast<QPDFObjectHandle *>(context);
    for (const char *key : {"/Popup", "/IRT", "/RT", "/OC", "/StructParent", "/CreationDate", "/Subj", "/Lang"}) {
        auto value = old.getKey(key);
        if (value.isNull()) continue;
        pdf_format(&writer->out, "%s ", key);
        add_value(*writer, value);
        pdf_text(&writer->out, "\n");
    }
}

class Saver {
public:
    Saver(Document &document, Update &update, const Cipher &cipher) : document(document), update(update) {
        auto size = document.pdf->getTrailer().getKey("/Size");
        long long next = size.isInteger() ? size.getIntValue() : 1;
        auto table = document.pdf->getXRefTable();
        if (!table.empty()) next = std::max<long long>(next, table.rbegin()->first.getObj() + 1);
        if (next < 1 || next > 100000000) throw Failure{OFFSTAGE_PAGES_NOT_SAVED, 0};
        writer.next = static_cast<uint32_t>(next);
        writer.cipher = cipher.functions();
    }

    ~Saver() { pdf_writer_free(&writer); }

    /// Changes a page. Returns false if it stays unchanged.
    void change(uint32_t number, const std::vector<Wish> &wishes) {
        auto &page = document.pages[number];
        if (!page.object.isIndirect()) throw Failure{OFFSTAGE_PAGES_NOT_SAVED, 0};
        auto annotations = page.object.getKey("/Annots");
        std::vector<Item> items;
        for (int i = 0; annotations.isArray() && i < annotations.getArrayNItems(); i++) items.push_back({annotations.getArrayItem(i)});
        std::map<std::string, size_t> names = names_of(items);
        for (const auto &wish : wishes) apply(wish, number, items, names);
        write(page, annotations, items);
    }

    pdf_writer writer{};

private:
    Document &document;
    Update &update;

    /// For each indirect annotation and list of annotations, the number of its pages. Built on first use.
    std::map<QPDFObjGen, int> uses;

    bool is_shared(QPDFObjectHandle object) {
        if (uses.empty())
            for (auto &page : document.pages) {
                auto list = page.object.getKey("/Annots");
                if (list.isIndirect()) uses[list.getObjGen()]++;
                for (int i = 0; list.isArray() && i < list.getArrayNItems(); i++)
                    if (auto item = list.getArrayItem(i); item.isIndirect()) uses[item.getObjGen()]++;
            }
        return uses[object.getObjGen()] > 1;
    }

    /// True if the annotation's object belongs to this page only, so that it can be rewritten.
    bool has_own_object(const Item &item) { return item.old.isInitialized() && item.old.isIndirect() && !is_shared(item.old); }

    static std::map<std::string, size_t> names_of(std::vector<Item> &items) {
        std::map<std::string, size_t> names;
        for (size_t i = 0; i < items.size(); i++)
            if (items[i].old.isDictionary()) names.emplace(identifier_of(items[i].old, i), i);
        // Generated identifiers also match, unless another annotation has one as its name.
        for (size_t i = 0; i < items.size(); i++)
            if (items[i].old.isDictionary()) names.emplace(made_identifier(items[i].old, i), i);
        names.erase("");
        return names;
    }

    void warn(offstage_pages_edit_problem problem, uint32_t page) { update.warnings.push_back({problem, page}); }

    void apply(const Wish &wish, uint32_t number, std::vector<Item> &items, std::map<std::string, size_t> &names) {
        const auto &head = wish.value.head;
        std::string name(wish.value.identifier, head.identifier_size);
        auto found = names.find(name);
        bool is_known = found != names.end() && !items[found->second].is_removed;
        if (head.kind == OFFSTAGE_PAGES_REMOVED) {
            if (is_known) remove(items, found->second);
            // An annotation that was removed together with another one counts as deleted.
            else if (found == names.end()) warn(OFFSTAGE_PAGES_EDIT_MISSING, number);
            return;
        }
        if (is_known) {
            auto &item = items[found->second];
            if (item.old.isInitialized() && is_same(wish, number, item.old)) return;
            if (!has_points(wish.value)) return warn(OFFSTAGE_PAGES_EDIT_EMPTY, number);
            if (can_be_made(head.kind)) item.changed = &wish.value;
            // Annotations of other kinds stay unchanged.
            return;
        }
        if (!can_be_made(head.kind)) return warn(OFFSTAGE_PAGES_EDIT_KIND, number);
        if (!has_points(wish.value)) return warn(OFFSTAGE_PAGES_EDIT_EMPTY, number);
        names[name] = items.size();
        items.push_back({QPDFObjectHandle(), &wish.value});
    }

    static bool can_be_made(uint32_t kind) { return kind == 1 || (kind >= 3 && kind <= 12) || kind == 15; }

    /// True if an annotation has the points that its kind requires.
    static bool has_points(const annotation &value) {
        uint32_t kind = value.head.kind, count = value.head.point_count;
        bool is_one = value.head.stroke_count == 1 && value.lengths[0] == count;
        if (kind == 4) return is_one && count == 2;
        if (kind == 7 || kind == 8) return is_one && count > 1;
        return (kind < 9 || kind > 12) && kind != 15 ? true : count > 0;
    }

    bool is_same(const Wish &wish, uint32_t number, QPDFObjectHandle old) {
        std::string record;
        add_record(record, document.pages[number], number, old, {wish.value.identifier, wish.value.head.identifier_size});
        return record.size() == wish.size && memcmp(record.data(), wish.bytes, wish.size) == 0;
    }

    static bool is_reference(QPDFObjectHandle value, QPDFObjectHandle object) {
        return value.isIndirect() && object.isIndirect() && value.getObjGen() == object.getObjGen();
    }

    /// Removes an annotation with its popups and its replies.
    static void remove(std::vector<Item> &items, size_t index) {
        std::vector<size_t> removed = {index};
        while (!removed.empty()) {
            auto &item = items[removed.back()];
            removed.pop_back();
            item.is_removed = true;
            if (!item.old.isInitialized() || !item.old.isDictionary()) continue;
            auto popup = item.old.getKey("/Popup");
            for (size_t i = 0; i < items.size(); i++) {
                auto &other = items[i];
                if (other.is_removed || !other.old.isInitialized() || !other.old.isDictionary()) continue;
                auto subtype = other.old.getKey("/Subtype");
                bool is_popup = subtype.isName() && subtype.getName() == "/Popup";
                bool is_own = is_reference(other.old.getKey("/Parent"), item.old) || is_reference(popup, other.old);
                if ((is_popup && is_own) || is_reference(other.old.getKey("/IRT"), item.old)) removed.push_back(i);
            }
        }
    }

    /// Writes a changed or new annotation. Returns its object.
    std::pair<uint32_t, uint32_t> write(const Page &page, Item &item) {
        bool has_object = has_own_object(item);
        annotation_target target{};
        target.space = &page.space;
        target.page = static_cast<uint32_t>(page.object.getObjectID());
        target.page_generation = static_cast<uint32_t>(page.object.getGeneration());
        target.number = has_object ? static_cast<uint32_t>(item.old.getObjectID()) : pdf_reserve(&writer);
        target.generation = has_object ? static_cast<uint32_t>(item.old.getGeneration()) : 0;
        target.modified = update.modified.empty() ? nullptr : update.modified.c_str();
        target.flags = ANNOTATION_PRINTS;
        if (item.old.isInitialized()) {
            auto flags = item.old.getKey("/F");
            target.flags = flags.isInteger() ? static_cast<uint32_t>(flags.getUIntValueAsUInt()) : 0;
            target.add_entries = keep_entries;
            target.context = &item.old;
        }
        annotation_problems problems{};
        annotation_write(&writer, item.changed, &target, &problems);
        if (problems.has_missing) warn(OFFSTAGE_PAGES_EDIT_TEXT, item.changed->head.page);
        if (problems.is_cut) warn(OFFSTAGE_PAGES_EDIT_CUT, item.changed->head.page);
        return {target.number, target.generation};
    }

    void write(const Page &page, QPDFObjectHandle annotations, std::vector<Item> &items) {
        std::string list = "[";
        bool has_changed = false;
        bool will_change = std::any_of(items.begin(), items.end(), [&](Item &item) {
            return item.is_removed || (item.changed && !has_own_object(item));
        });
        for (auto &item : items) {
            if (item.is_removed) {
                has_changed = true;
                continue;
            }
            bool has_object = item.old.isInitialized() && item.old.isIndirect();
            std::pair<uint32_t, uint32_t> object;
            if (item.changed) object = write(page, item);
            else if (has_object) object = {item.old.getObjectID(), item.old.getGeneration()};
            else if (!item.old.isDictionary()) continue;
            // The standard requires references, and other programs don't find annotations stored directly in the list.
            else if (will_change) object = write_direct(item.old);
            else continue;
            if (!has_object || (item.changed && !has_own_object(item))) has_changed = true;
            list += std::to_string(object.first) + " " + std::to_string(object.second) + " R ";
        }
        list += "]";
        if (has_changed) write_list(page, annotations, list);
    }

    std::pair<uint32_t, uint32_t> write_direct(QPDFObjectHandle old) {
        uint32_t number = pdf_reserve(&writer);
        pdf_begin(&writer, number, 0);
        add_value(writer, old, true);
        pdf_end(&writer);
        return {number, 0};
    }

    void write_list(const Page &page, QPDFObjectHandle annotations, const std::string &list) {
        if (annotations.isArray() && annotations.isIndirect() && !is_shared(annotations)) {
            pdf_begin(
                &writer, static_cast<uint32_t>(annotations.getObjectID()), static_cast<uint32_t>(annotations.getGeneration()));
            pdf_add(&writer.out, list.data(), list.size());
            return pdf_end(&writer);
        }
        auto object = page.object;
        size_t start = writer.out.size;
        auto number = static_cast<uint32_t>(object.getObjectID()), generation = static_cast<uint32_t>(object.getGeneration());
        size_t entry = writer.entry_count;
        for (bool is_long : {false, true}) {
            writer.out.size = start;
            writer.entry_count = entry;
            uint32_t own = 0;
            if (is_long) {
                own = pdf_reserve(&writer);
                pdf_begin(&writer, own, 0);
                pdf_add(&writer.out, list.data(), list.size());
                pdf_end(&writer);
            }
            pdf_begin(&writer, number, generation);
            pdf_text(&writer.out, "<< ");
            for (const auto &key : object.getKeys()) {
                if (key == "/Annots") continue;
                pdf_text(&writer.out, QPDFObjectHandle::newName(key).unparse().c_str());
                pdf_text(&writer.out, " ");
                add_value(writer, object.getKey(key));
                pdf_text(&writer.out, "\n");
            }
            pdf_text(&writer.out, "/Annots ");
            if (is_long) pdf_format(&writer.out, "%u 0 R", own);
            else pdf_add(&writer.out, list.data(), list.size());
            pdf_text(&writer.out, " >>");
            pdf_end(&writer);
            if (writer.out.size - start < long_page) break;
        }
    }
};

}

std::string save(Document &document, Update &update) {
    std::map<uint32_t, std::vector<Wish>> wishes;
    for (size_t at = 0; at < update.additions_size;) {
        Wish wish;
        wish.bytes = update.additions + at;
        wish.size = annotation_read(wish.bytes, update.additions_size - at, &wish.value);
        if (wish.size == 0) throw Failure{OFFSTAGE_PAGES_BAD_OPTIONS, 0};
        at += wish.size;
        if (wish.value.head.page >= document.pages.size()) throw Failure{OFFSTAGE_PAGES_NO_PAGE, document.pages.size()};
        wishes[wish.value.head.page].push_back(wish);
    }
    if (!update.is_forced) check_rights(*document.pdf);
    Cipher cipher(*document.pdf);
    Saver saver(document, update, cipher);
    for (const auto &[page, list] : wishes) saver.change(page, list);
    if (saver.writer.entry_count == 0) return "";
    bool has_line = document.size > 0 && document.bytes[document.size - 1] == '\n';
    uint64_t base = document.size - document.origin + (has_line ? 0 : 1);
    add_table(document, saver.writer, base);
    if (saver.writer.has_failed || saver.writer.out.has_failed) throw std::bad_alloc();
    std::string result = has_line ? "" : "\n";
    return result.append(reinterpret_cast<const char *>(saver.writer.out.bytes), saver.writer.out.size);
}
