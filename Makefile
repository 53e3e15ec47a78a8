# The two commands of the README are `make run` and `make test`; each first installs what it needs.

SWIFT ?= swift
OFFSTAGE = .build/release/offstage
# Builds, tests and measurements do not depend on the user's settings.
export OFFSTAGE_CONFIG =
PREFIX ?= /usr/local
DESTDIR ?=

THREADS = .build-threads
BIN = $(DESTDIR)$(PREFIX)/bin/offstage
MAN = $(DESTDIR)$(PREFIX)/share/man/man1/offstage.1
LIB = $(PREFIX)/lib/offstage
EGL = .build/egl/libOffstageEGL.so
# Draws PDF pages; Scripts/setup puts it there.
PDFIUM = .build/pdfium
# The programs that draw.
WORKERS = offstage-html offstage-image offstage-image-more offstage-pdf offstage-pdf-edit offstage-sound offstage-sound-more offstage-ink
# The windows of `offstage browse`, which that program starts.
BROWSE = offstage-browse
# The library for C programs.
VERSION = $(shell sed -n 's/^package let offstageVersion = "\(.*\)"$$/\1/p' Sources/Requests/OffstageRequests/Version.swift)
C_HEADER = Sources/C/COffstage/include/offstage.h
C_EXPORTS = Sources/C/COffstage/liboffstage.map
C_LIBRARY = .build/release/liboffstage.so.0
C_LINKED = gio-2.0 cairo fontconfig spng libisal libjpeg libwebp sqlite3 libb2 libevent_openssl libqpdf harfbuzz-subset
LIBDIR = $(DESTDIR)$(PREFIX)/lib
BASH_COMPLETION = $(DESTDIR)$(PREFIX)/share/bash-completion/completions/offstage
ZSH_COMPLETION = $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_offstage
FISH_COMPLETION = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/offstage.fish
# The integrations that are installed as files; pip installs the Python package.
PANDOC_FILTER = $(DESTDIR)$(PREFIX)/share/offstage/pandoc/offstage.lua
LATEX_TREE = $(PREFIX)/share/texmf
LATEX_PACKAGE = $(DESTDIR)$(LATEX_TREE)/tex/latex/offstage/offstage.sty
THUMBNAILER = $(DESTDIR)$(PREFIX)/bin/offstage-thumbnailer
THUMBNAILER_MAN = $(DESTDIR)$(PREFIX)/share/man/man1/offstage-thumbnailer.1
THUMBNAILER_ENTRY = $(DESTDIR)$(PREFIX)/share/thumbnailers/offstage.thumbnailer
# TeX finds only files in its lists; installing a Debian package updates them.
LIST_LATEX = [ -n "$(DESTDIR)" ] || ! command -v mktexlsr >/dev/null || mktexlsr --quiet "$(LATEX_TREE)"
SOURCES = Package.swift Sources Tests Examples Benchmarks Endurance

# In CI a warning is an error.
ifeq ($(CI),true)
FLAGS = -Xswiftc -warnings-as-errors -Xcc -Werror
endif

# Release programs contain Swift's runtime, so that the tested and measured program is the installed one. They don't search this
# folder. They have a build folder of their own, so that they can be built beside the tests.
BUILD_RELEASE = mkdir -p .build/optimized && ln -sfn optimized/release .build/release && \
	$(SWIFT) build --configuration release --scratch-path .build/optimized --static-swift-stdlib -Xswiftc -DOFFSTAGE_INSTALLED $(FLAGS)
BUILD_WORKERS = for worker in $(WORKERS); do $(BUILD_RELEASE) --quiet --product $$worker || exit; done

.PHONY: run build lib test install uninstall install-lib uninstall-lib check-install deb check-deb image check-image check-kills fuzz-ink format lint setup setup-tests clean \
	check-shared test-threads theme bench bench-build bench-check bench-record bench-peers bench-pages test-integrations fuzz soak endure-build docs

## Draw everything in Snippets/ into out/, and a contact sheet of the pictures
run: build
	$(OFFSTAGE) render Snippets --out out --scale 2
	$(OFFSTAGE) sheet out -o out/contact-sheet.png

## Build the release binary, which needs no Swift at run time, at .build/release/offstage
build: setup
	$(BUILD_RELEASE) --product offstage
	$(BUILD_RELEASE) --product $(BROWSE)
	@$(BUILD_WORKERS)
	@Scripts/load-late $(OFFSTAGE)
	@$(MAKE) --no-print-directory $(EGL)
	@Scripts/place-egl $(EGL) .build/release
	@# It is current, even if nothing had to be linked: make install compares the files' times.
	@touch $(OFFSTAGE)

# Compares the files' times, so that root, who may not have Swift, can install a user's build.
$(OFFSTAGE): Package.swift $(shell find Sources -type f)
	@$(MAKE) --no-print-directory build

## Build a shared library for C, which needs no Swift at run time, at .build/release/liboffstage.so.0
lib: $(C_LIBRARY)

# The package manager cannot link a shared library that contains Swift's runtime. This one exports only offstage.h's functions.
# All symbols that it needs are resolved when it is loaded, so a program for which they are missing does not start.
$(C_LIBRARY): Makefile Package.swift $(shell find Sources -type f)
	@Scripts/setup
	$(BUILD_RELEASE) --product OffstageC
	@$(BUILD_WORKERS)
	@$(MAKE) --no-print-directory $(EGL)
	@Scripts/place-egl $(EGL) .build/release
	$(SWIFT)c -emit-library -static-stdlib -use-ld=lld -o $@ @.build/release/OffstageC.product/Objects.LinkFileList \
		$(foreach flag,--gc-sections --as-needed -soname=$(notdir $@) --version-script=$(C_EXPORTS) -z relro -z now \
		-z defs,-Xlinker $(flag)) $$(pkg-config --libs-only-l $(C_LINKED))

# With clang, which comes with Swift: the package manager would link Swift's runtime with it.
$(EGL): Sources/HTML/OffstageEGL/egl.c
	@mkdir -p $(dir $(EGL))
	clang -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -s -Wl,-z,relro,-z,now -o $@ $<

# The worker programs and PDFium, for the program and for the C library.
define INSTALL_WORKERS
install -s -m 755 $(addprefix .build/release/,$(WORKERS)) "$(DESTDIR)$(LIB)"
	install -m 644 $(PDFIUM)/libpdfium.so "$(DESTDIR)$(LIB)"
	rm -rf "$(DESTDIR)$(LIB)/pdfium-licenses"
	cp -R $(PDFIUM)/licenses "$(DESTDIR)$(LIB)/pdfium-licenses"
endef

## Install the program, its man page, completions, the pandoc filter, the LaTeX package and the thumbnailer below $(DESTDIR)$(PREFIX)
install: $(OFFSTAGE)
	install -d "$(dir $(BIN))" "$(dir $(MAN))" "$(dir $(BASH_COMPLETION))" "$(dir $(ZSH_COMPLETION))" \
		"$(dir $(FISH_COMPLETION))"
	install -s -m 755 $(OFFSTAGE) "$(BIN)"
	install -d "$(DESTDIR)$(LIB)"
	Scripts/place-egl $(EGL) "$(DESTDIR)$(LIB)" "$(LIB)"
	$(INSTALL_WORKERS)
	install -s -m 755 .build/release/$(BROWSE) "$(DESTDIR)$(LIB)"
	$(OFFSTAGE) --print-man > "$(MAN)"
	$(OFFSTAGE) --print-completion bash > "$(BASH_COMPLETION)"
	$(OFFSTAGE) --print-completion zsh > "$(ZSH_COMPLETION)"
	$(OFFSTAGE) --print-completion fish > "$(FISH_COMPLETION)"
	chmod 644 "$(MAN)" "$(BASH_COMPLETION)" "$(ZSH_COMPLETION)" "$(FISH_COMPLETION)"
	install -D -m 644 Integrations/pandoc/offstage.lua "$(PANDOC_FILTER)"
	install -D -m 644 Integrations/latex/offstage.sty "$(LATEX_PACKAGE)"
	@$(LIST_LATEX)
	install -D -m 755 Integrations/thumbnailer/offstage-thumbnailer "$(THUMBNAILER)"
	install -D -m 644 Integrations/thumbnailer/offstage-thumbnailer.1 "$(THUMBNAILER_MAN)"
	install -D -m 644 Integrations/thumbnailer/offstage.thumbnailer "$(THUMBNAILER_ENTRY)"

## Remove the files that `make install` installed
uninstall:
	rm -f "$(BIN)" "$(MAN)" "$(BASH_COMPLETION)" "$(ZSH_COMPLETION)" "$(FISH_COMPLETION)"
	rm -f "$(THUMBNAILER)" "$(THUMBNAILER_MAN)" "$(THUMBNAILER_ENTRY)" "$(DESTDIR)$(LIB)/$(BROWSE)"
	rm -rf "$(DESTDIR)$(PREFIX)/share/offstage" "$(dir $(LATEX_PACKAGE))"
	@$(LIST_LATEX)
	[ -e "$(LIBDIR)/liboffstage.so.0" ] || rm -rf "$(DESTDIR)$(LIB)"

## Install the library for C, its header and its pkg-config file below $(DESTDIR)$(PREFIX)
install-lib: $(C_LIBRARY)
	install -d "$(LIBDIR)/pkgconfig" "$(DESTDIR)$(PREFIX)/include" "$(DESTDIR)$(LIB)"
	install -s -m 755 $(C_LIBRARY) "$(LIBDIR)/liboffstage.so.$(VERSION)"
	ln -sf liboffstage.so.$(VERSION) "$(LIBDIR)/liboffstage.so.0"
	ln -sf liboffstage.so.0 "$(LIBDIR)/liboffstage.so"
	install -m 644 $(C_HEADER) "$(DESTDIR)$(PREFIX)/include/offstage.h"
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' Packaging/offstage.pc > "$(LIBDIR)/pkgconfig/offstage.pc"
	chmod 644 "$(LIBDIR)/pkgconfig/offstage.pc"
	Scripts/place-egl $(EGL) "$(DESTDIR)$(LIB)" "$(LIB)"
	$(INSTALL_WORKERS)
# The linker knows a library in /usr/local only from its cache, which only root can write.
	[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ldconfig

## Remove the files that `make install-lib` installed
uninstall-lib:
	rm -f "$(LIBDIR)"/liboffstage.so* "$(LIBDIR)/pkgconfig/offstage.pc" "$(DESTDIR)$(PREFIX)/include/offstage.h"
	[ -e "$(BIN)" ] || rm -rf "$(DESTDIR)$(LIB)"

## Save annotations into the PDF documents of `FOLDERS=`, and check the results with other programs
.PHONY: check-annotations
ANNOTATION_TOOLS = .build/annotation-tools
check-annotations: $(OFFSTAGE)
	@[ -x $(ANNOTATION_TOOLS)/bin/pymupdf ] || { python3 -m venv $(ANNOTATION_TOOLS) && $(ANNOTATION_TOOLS)/bin/pip install --quiet \
		pypdf pikepdf pdfminer.six 'pyHanko[crypto]' PyMuPDF numpy pillow cryptography; }
	@$(ANNOTATION_TOOLS)/bin/python Scripts/check-annotations --offstage $(OFFSTAGE) $(FOLDERS)

## Install into a temporary folder, draw from there without Swift, then uninstall
check-install: $(OFFSTAGE)
	@Scripts/setup tests
	@Scripts/check-install

## Build a Debian package, offstage_VERSION_ARCHITECTURE.deb, in this folder
deb: $(OFFSTAGE)
	@Scripts/setup deb
	@MAINTAINER='$(MAINTAINER)' Scripts/make-deb

## Check the package with lintian, install it into a fresh Debian in a folder, draw there, remove it; needs root
check-deb: $(OFFSTAGE)
	@Scripts/setup deb
	@Scripts/check-deb

## Create another release of Debian in a folder (`RELEASE=trixie`), and run the README's commands there, or other targets (`TARGETS="run"`); needs root
.PHONY: check-debian
check-debian:
	@Scripts/setup releases
	@Scripts/check-debian "$(RELEASE)" $(TARGETS)

## Build an OCI image, offstage_VERSION_ARCHITECTURE.oci.tar, in this folder, from Debian packages only
image: $(OFFSTAGE)
	@Scripts/setup image
	@MAINTAINER='$(MAINTAINER)' Scripts/make-image

## Make the image, and run it under podman: drawings, a service, with a sandbox and without; needs root
check-image: $(OFFSTAGE)
	@Scripts/setup image
	@Scripts/check-image

## Run the checks required before a release, in addition to .ci/run: takes hours, needs root
.PHONY: check-all
check-all:
	$(MAKE) check-deb
	$(MAKE) check-image
	$(MAKE) test-integrations
	$(MAKE) test-python
	$(MAKE) test-threads
	$(MAKE) check-shared SECONDS=300
	$(MAKE) check-kills
	$(MAKE) fuzz-ink
	$(MAKE) fuzz
	$(MAKE) test-api
	$(MAKE) bench-check
	$(MAKE) check-debian RELEASE=$(OTHER_RELEASE)
# The release of Debian that this machine does not run.
OTHER_RELEASE = $(if $(shell grep -x 'VERSION_CODENAME=bookworm' /etc/os-release),trixie,bookworm)

## Build the Debian package twice from nothing, in two folders, and compare the bytes. They are not yet equal: Swift's compiler
## orders a few instructions differently from run to run, and notes a hash of each file (.swift_modhash) that depends on the folder
.PHONY: check-reproducible
check-reproducible:
	@Scripts/setup deb
	@Scripts/check-reproducible

## Build the tests, in a debug build
.PHONY: build-tests
build-tests: setup-tests
	$(SWIFT) build --build-tests $(FLAGS)

## Run the whole test suite: the core, its random sequences, the engine, a GTK host, the real program (Scripts/run-tiers)
test: $(OFFSTAGE) build-tests
	@Scripts/place-egl $(EGL) .build/debug
	@SWIFT=$(SWIFT) Scripts/run-tiers $(FLAGS)

## Run the integrations' tests, or some (`INTEGRATIONS="latex"`): the release program with pandoc, LaTeX, Make, Ninja and the desktops'
## thumbnailers, and the library for C with compilers, valgrind and Python
INTEGRATIONS ?= $(patsubst Integrations/%/test.py,%,$(wildcard Integrations/*/test.py))
test-integrations: $(OFFSTAGE) lib
	@Scripts/setup integrations
	@$(TEST_INTEGRATIONS)

## Run the integration tests that need no LaTeX and no desktop
.PHONY: test-tools
test-tools: INTEGRATIONS = c make ninja pandoc
test-tools: PANDOC_TESTS = PandocTest
test-tools: $(OFFSTAGE) lib
	@Scripts/setup tools
	@$(TEST_INTEGRATIONS)

TEST_INTEGRATIONS = failed=; for name in $(INTEGRATIONS); do \
		echo "Integrations/$$name/test.py"; \
		case $$name in pandoc) tests="$(PANDOC_TESTS)" ;; *) tests= ;; esac; \
		PATH="$(CURDIR)/$(dir $(OFFSTAGE)):$$PATH" Scripts/in-own-folder $$name python3 "Integrations/$$name/test.py" $$tests || \
			failed="$$failed $$name"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed" >&2; exit 1; }

## Kill processes in the middle of storing pictures, 200 times; the test suite does it 50 times
check-kills: setup-tests
	$(SWIFT) build --build-tests $(FLAGS)
	KILLS=200 SWIFT=$(SWIFT) Scripts/run-tests kills $(FLAGS) --disable-xctest --filter StoreSurvivalTests

## Write, erase, save, kill and damage files with ink in SEQUENCES=10000 random sequences; the test suite does it in 200
SEQUENCES ?= 10000
fuzz-ink: setup-tests
	$(SWIFT) build --build-tests $(FLAGS)
	INK_SEQUENCES=$(SEQUENCES) SWIFT=$(SWIFT) Scripts/run-tests ink $(FLAGS) --disable-xctest --filter LossPropertyTests

## Kill processes of five machines that share a database, fill its disk and cut its connections, for SECONDS=60, and check every
## picture; `SEED=` of an earlier run, `KINDS=` of faults
check-shared: $(OFFSTAGE) setup-tests
	@Scripts/in-own-folder check-shared Scripts/check-shared "$(CURDIR)/$(OFFSTAGE)" $(SECONDS) $(or $(SEED),-) $(or $(KINDS),-)

## Run the tests of the Python package, with the release program
.PHONY: test-python
test-python: $(OFFSTAGE)
	@Scripts/setup-python
	cd Integrations/python && OFFSTAGE="$(CURDIR)/$(OFFSTAGE)" PYTHONPATH=. ../../Scripts/in-own-folder test-python \
		$(PYTHON) -X dev -m pytest -q
PYTHON ?= /usr/bin/python3

## Test the service against its own API description with generated values: `EXAMPLES=100` each, `SEED=` of an earlier run
.PHONY: test-api
EXAMPLES ?= 100
test-api: $(OFFSTAGE)
	@Scripts/setup-python
	@Scripts/in-own-folder test-api Scripts/test-api $(OFFSTAGE) $(EXAMPLES) $(SEED)

## Run the tests of the core and of the workers' host under the thread sanitizer, which has to instrument all code, so it uses a separate
## build folder. As in `make test`, the random sequences are apart. The worker is an ordinary program: its jail forbids what the
## sanitizer does in a process
test-threads: setup-tests
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path $(THREADS) -Xswiftc -DOFFSTAGE_THREAD_SANITIZER $(FLAGS)
	$(SWIFT) build --product offstage-test-worker $(FLAGS)
	@install -D .build/debug/offstage-test-worker $(THREADS)/debug/lib/offstage/offstage-test-worker
	Scripts/in-own-folder test-threads $(SWIFT) test --skip-build --sanitize=thread --scratch-path $(THREADS) --disable-xctest \
		--filter '^Offstage(Vector|Workers)?Tests\.' --skip PropertyTests
	Scripts/in-own-folder test-threads $(SWIFT) test --skip-build --sanitize=thread --scratch-path $(THREADS) --disable-xctest \
		--filter PropertyTests

## Measure, into out/bench: all workloads, or some (`WORKLOADS="rows cold"`); `QUICK=1` is roughly right in two minutes,
## `LARGE=1` also draws 100,000 rows; `EMAILS=FOLDER` has HTML files the size of e-mails
EMAILS ?= $(wildcard ../shared/corpus)
BENCH = .build/release/bench $(if $(EMAILS),--emails "$(EMAILS)")
bench: bench-build
	$(BENCH) $(if $(QUICK),--quick) $(if $(LARGE),--large) $(if $(REPS),--repetitions $(REPS)) $(WORKLOADS)

bench-build: build setup-tests
	$(BUILD_RELEASE) --product bench

## Fail if something costs more, relative to other work of the same run, than Benchmarks/thresholds.json allows
bench-check: bench-build
	$(BENCH) --quick --repetitions 5 --check Benchmarks/thresholds.json

## Write this machine's and this version's ratios into Benchmarks/thresholds.json
bench-record: bench-build
	$(BENCH) --quick --repetitions 5 --record Benchmarks/thresholds.json

## Measure other programs on the same rows in the same run, with their own harness: `PEERS=FOLDER` (Scripts/bench-peers)
bench-peers: bench-build
	@PEERS="$(PEERS)" Scripts/bench-peers

## Compare pictures of PDF pages, and the time for them, with other programs: `FILES="FILE|FOLDER..."` (Scripts/bench-pages)
bench-pages: build
	@Scripts/bench-pages pictures $(FILES)
	@Scripts/bench-pages time $(FILES)

## Measure several machines that share a database, all on this one: `FIGURES=miss,hit` of Scripts/bench-shared's
.PHONY: bench-shared
bench-shared: build setup-tests
	$(BUILD_RELEASE) --product bench-shared
	@Scripts/bench-shared $(OFFSTAGE) .build/release/bench-shared $(FIGURES)

## Rebuild the theme's bundle after its colours have changed
THEME = Sources/HTML/OffstageWebKit/Display/Theme
theme: setup
	glib-compile-resources --sourcedir=$(THEME) --target=$(THEME)/theme.gresource $(THEME)/theme.gresource.xml

## Draw mutated files of all sources for `SECONDS=60`, with `SEED=` of an earlier run to repeat it; then look in pictures for memory of
## other documents, for `MEMORY_SECONDS`, and send a service malformed requests: `INPUTS=1500`
SECONDS ?= 60
MEMORY_SECONDS ?= $(SECONDS)
INPUTS ?= 1500
ENDURE = Scripts/in-own-folder endure .build/release/endure
fuzz: endure-build $(OFFSTAGE)
	@Scripts/write-images .build/images
	@Scripts/write-sounds .build/sounds
	$(ENDURE) fuzz $(SECONDS) $(if $(SEED),$(SEED),-) Snippets docs/samples .build/images .build/sounds $(EMAILS)
	$(ENDURE) memory $(MEMORY_SECONDS) $(if $(SEED),$(SEED),-) Snippets .build/images
	$(ENDURE) serve $(INPUTS) $(if $(SEED),$(SEED),-) $(OFFSTAGE)

## Draw rows while one in a hundred is hostile and processes are killed: `ROWS=20000`
ROWS ?= 20000
soak: endure-build
	$(ENDURE) soak $(ROWS) Snippets Tests/Hostile

endure-build: setup-tests
	$(BUILD_RELEASE) --product endure
	@$(BUILD_WORKERS)

## Format the source in the project's style
format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

## Report what `make format` would change
lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

## Build the Swift reference of the three libraries into .build/docs; DocC's warnings are errors
docs: setup
	@SWIFT="$(SWIFT)" FLAGS="$(FLAGS)" Scripts/docs

## Install the Debian packages that are missing, and PDFium
setup:
	@Scripts/setup

## Install the packages that the tests need as well
setup-tests: setup
	@Scripts/setup tests

clean:
	rm -rf .build $(THREADS) out
