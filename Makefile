# SPDX-License-Identifier: Apache-2.0
# The short way in. Everything is built by CMake from CMakePresets.json; this file installs what is
# missing first and gives the usual jobs a name.

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DEMO ?= build/release/panoptes check models/setup_handshake.argos --shortest
FUZZER ?= $(patsubst tests/fuzz/%.cpp,%,$(firstword $(wildcard tests/fuzz/*_fuzz*.cpp)))

.DEFAULT_GOAL := build
.PHONY: build demo install uninstall package test soak bench fuzz format lint deps clean help
.SILENT:

build:  ## build the program: build/release/panoptes (the default)
	tools/install-packages build
	tools/fetch-duckdb
	cmake --preset release >/dev/null
	cmake --build --preset release -j $(JOBS) --target panoptes

demo: build  ## build, then find the error in a small protocol
	# check exits with 1 where it found errors, and here it must.
	echo '$$ $(DEMO)'
	$(DEMO); status=$$?; [ $$status -eq 1 ] || { echo "exit $$status, expected 1" >&2; exit 1; }

install: build  ## install program and library under PREFIX (/usr/local), below DESTDIR where one is given
	cmake --build --preset release -j $(JOBS) --target panoptes_pages panoptes_shared
	DESTDIR='$(DESTDIR)' tools/install build/release '$(PREFIX)'

uninstall:  ## remove what `make install` has put there, and nothing else
	DESTDIR='$(DESTDIR)' tools/install --uninstall '$(PREFIX)'

package: build  ## make Debian packages, of program and library: build/release/*panoptes*.deb
	tools/install-packages package
	cmake --build --preset release -j $(JOBS) --target panoptes_pages panoptes_shared
	tools/package build/release build/release

test:  ## build and run the tests, also under sanitizers, with a short fuzz run; what a change must pass
	tools/install-packages build test
	tools/fetch-duckdb
	tools/test --jobs $(JOBS) release asan tsan

soak: build  ## longer campaigns: 200 hostile models with five limits each, three hundred kills, whole samples, other random protocols, more tests under sanitizers, clang-tidy (an hour, nothing else running)
	tools/install-packages test
	cmake --build --preset release -j $(JOBS)
	tests/hostile/hostile.py build/release/panoptes --strict
	echo 0 10000 20000 30000 40000 | PANOPTES_SAMPLES=all xargs -n 1 -P $(JOBS) sh -c 'PANOPTES_FIRST_SEED=$$0 \
	  build/release/tests/panoptes_differential_test --gtest_filter="*Agreement*" --gtest_brief=1'
	PANOPTES_SAMPLES=all ctest --preset release -j $(JOBS) -R '^(ask|cli|cube|differential|ranks|relate|resume|reversed|search|show)\.' -E Agreement
	PANOPTES_SAMPLES=all tools/test --jobs $(JOBS) asan-more tsan-more

bench:  ## compare with SPIN and Rumur, rewrite docs/performance.md (some minutes, nothing else running)
	tools/install-packages build test bench
	tools/fetch-duckdb
	cmake --preset release -B build/bench >/dev/null
	cmake --build build/bench -j $(JOBS) --target panoptes
	bench/run
	bench/run --compile
	bench/run --supertrace
	bench/steps --binary build/bench/panoptes
	bench/backward --binary build/bench/panoptes
	bench/reduced
	bench/price
	bench/symmetry --binary build/bench/panoptes
	bench/temporal

fuzz:  ## run the fuzzer (FUZZER=its file name) until it fails or is interrupted
	tools/install-packages build test
	cmake --preset asan >/dev/null
	cmake --build --preset asan -j $(JOBS) --target run_$(FUZZER)

format:  ## rewrite the C++ sources as clang-format has them
	tools/install-packages test
	tools/format

lint:  ## run clang-tidy on the sources
	tools/install-packages build test
	cmake --preset asan >/dev/null
	cmake --build --preset asan -j $(JOBS) --target panoptes
	tools/lint build/asan

deps:  ## install everything that building and testing need, and compare versions
	tools/install-packages --versions build test

clean:  ## remove everything that was built
	rm -rf build

help:  ## show this list
	sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 16
