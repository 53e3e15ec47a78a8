# The two commands of the README are `make run` and `make test`; each installs what it needs first.

SWIFT ?= swift
OFFSTAGE = .build/release/offstage
SOURCES = Package.swift Sources Tests Examples

# In CI a warning is an error.
ifeq ($(CI),true)
FLAGS = -Xswiftc -warnings-as-errors -Xcc -Werror
endif

.PHONY: run build test format lint setup clean

## Draw everything in Snippets/ into out/, and a contact sheet of it
run: build
	$(OFFSTAGE) render Snippets --out out --scale 2
	$(OFFSTAGE) sheet out -o out/contact-sheet.png

## Leave the release binary at .build/release/offstage
build: setup
	$(SWIFT) build --configuration release --product offstage $(FLAGS)

## Run the whole test suite: the core, the engine, the real program. One after the other, because tests that wait for
## a program leave no thread to those that wait for a task.
test: setup
	$(SWIFT) build --build-tests $(FLAGS)
	$(SWIFT) test --skip-build $(FLAGS) --disable-xctest --filter OffstageTests
	$(SWIFT) test --skip-build $(FLAGS) --disable-swift-testing
	$(SWIFT) test --skip-build $(FLAGS) --disable-xctest --filter CommandLineTests

## Lay out the source as the project does
format:
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

## Say what `make format` would change
lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)

## Install the Debian packages that are missing
setup:
	@Scripts/setup

clean:
	rm -rf .build out
