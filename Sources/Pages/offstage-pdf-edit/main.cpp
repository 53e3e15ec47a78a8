// The worker program that lists and changes the annotations of PDF documents. Arguments: the paths of the fonts.
#include <cstring>
#include <new>

#include <offstage_worker.h>

#include "document.hpp"
#include "list.hpp"
#include "save.hpp"

namespace {

char *const *paths;
int path_count;

void prepare() { annotation_load_fonts(paths, path_count); }

/// Sends bytes to the host as a picture with rows of 4 KiB.
bool give(const std::string &bytes, offstage_worker_reply *reply) {
    uint64_t rows = std::max<uint64_t>(1, (bytes.size() + 4095) / 4096);
    uint8_t *pixels = offstage_worker_picture(reply, 1024, rows, true);
    if (!pixels) return false;
    memcpy(pixels, bytes.data(), bytes.size());
    memset(pixels + bytes.size(), 0, rows * 4096 - bytes.size());
    return true;
}

void work(const offstage_worker_job *job, const offstage_pages_edit_options &options, offstage_worker_reply *reply) {
    std::string password(reinterpret_cast<const char *>(job->options) + sizeof options, options.password_size);
    auto size = static_cast<size_t>(options.document_size), start = (size + 3) & ~size_t(3);
    Document document(job->document, size, password);
    Update update{};
    if (job->document_size > start) {
        update.additions = job->document + start;
        update.additions_size = job->document_size - start;
    }
    update.is_forced = options.is_forced;
    update.modified.assign(options.modified, strnlen(options.modified, sizeof options.modified));
    std::string bytes;
    if (options.job == OFFSTAGE_PAGES_EDIT_SAVE) bytes = save(document, update);
    else {
        auto count = static_cast<uint32_t>(document.pages.size());
        bool is_all = options.page == OFFSTAGE_PAGES_ALL;
        if (!is_all && options.page >= count) throw Failure{OFFSTAGE_PAGES_NO_PAGE, count};
        for (uint32_t i = is_all ? 0 : options.page; i < (is_all ? count : options.page + 1); i++)
            add_records(bytes, document.pages[i], i);
    }
    // Warnings that do not fit into the report are left out.
    size_t most = (OFFSTAGE_WIRE_PAYLOAD - sizeof(offstage_pages_edit_report)) / sizeof(offstage_pages_edit_warning);
    offstage_pages_edit_report report{};
    report.version = OFFSTAGE_PAGES_VERSION;
    report.pages = static_cast<uint32_t>(document.pages.size());
    report.bytes = bytes.size();
    report.warnings = static_cast<uint32_t>(std::min(most, update.warnings.size()));
    if (!give(bytes, reply)) return;
    offstage_worker_report(reply, &report, sizeof report);
    offstage_worker_report(reply, update.warnings.data(), report.warnings * sizeof(offstage_pages_edit_warning));
}

void draw(const offstage_worker_job *job, offstage_worker_reply *reply) {
    offstage_pages_edit_options options;
    if (job->options_size < sizeof options) return offstage_worker_fail(reply, OFFSTAGE_PAGES_BAD_OPTIONS, 0, 0);
    memcpy(&options, job->options, sizeof options);
    bool is_whole = options.password_size <= job->options_size - sizeof options && options.document_size <= job->document_size;
    if (options.version != OFFSTAGE_PAGES_VERSION || !is_whole) return offstage_worker_fail(reply, OFFSTAGE_PAGES_BAD_OPTIONS, 0, 0);
    try {
        work(job, options, reply);
    } catch (const Failure &failure) {
        offstage_worker_fail(reply, failure.code, failure.number, 0);
    } catch (const std::bad_alloc &) {
        offstage_worker_fail(reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
    } catch (const std::exception &) {
        // The library's own messages can quote the document.
        offstage_worker_fail(reply, OFFSTAGE_PAGES_NOT_SAVED, 0, 0);
    }
}

}

int main(int count, char **arguments) {
    paths = arguments + 1;
    path_count = count - 1;
    offstage_worker_program program{};
    program.prepare = prepare;
    program.draw = draw;
    return offstage_worker_run(&program);
}
