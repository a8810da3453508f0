# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# For people; the module's own list of objects is in Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
# A relative one is so to this directory, wherever each part is installed from
root := $(if $(DESTDIR),$(if $(filter /%,$(DESTDIR)),$(DESTDIR),$(CURDIR)/$(DESTDIR)))
VM_TARGET ?= x86_64-6.1
JOBS ?= 3
PAGES ?= Documentation
DOCS ?= build/docs

all: module tools

module: ## etw.ko for the running kernel, in build/module
	@if [ -d "$(KDIR)" ]; then \
		mkdir -p build/module && \
		cp -ru Kbuild module uapi include build/module/ && \
		(cd build/module && find module uapi include -name '*.[ch]' ! -name '*.mod.c') | \
		while read -r file; do [ -e "$$file" ] || rm "build/module/$$file"; done && \
		$(MAKE) -C "$(KDIR)" M="$(CURDIR)/build/module" modules; \
	else \
		echo 'No headers of the running kernel in $(KDIR): no module.'; \
		echo '"make demo" shows it in a virtual machine instead.'; \
	fi

tools: ## the tool etw and libetw, in build/host/tools
	$(MAKE) -C tools O="$(CURDIR)/build/host/tools"

packages: ## Debian's packages of the tool, libetw and the module, in build/packages
	packaging/build

docs: ## the pages of Documentation as HTML, in build/docs; a warning of Sphinx is an error
	@command -v sphinx-build >/dev/null || tests/infra/vm/setup check
	sphinx-build -q -W --keep-going -d "$(DOCS)/.doctrees" -b html "$(PAGES)" "$(DOCS)"

pictures: tools ## Documentation/pictures/report.png: the page of etw report; TRACE=FILE
	@[ -n "$(TRACE)" ] || { echo 'make pictures: missing TRACE=FILE, a trace with samples'; exit 2; }
	Documentation/pictures/report_picture "$(TRACE)" Documentation/pictures/report.png

demo: ## record a trace in a virtual machine and look at it
	tests/infra/vm/demo

check: ## every feature's test; "tests/run PATTERN" runs some; JOBS=3
	tests/infra/vm/setup check
	JOBS=$(JOBS) tests/run

quick: ## for the inner loop: compile for x86_64, tests without a virtual machine
	tests/infra/vm/setup check
	tests/infra/vm/build x86_64-6.1 >/dev/null
	JOBS=$(JOBS) tests/run --quick

proof: ## the long tests; goes on where it stopped; results in tests/infra/proof
	tests/infra/proof/run $(if $(MINUTES),-t $(MINUTES)) $(PATTERN)

matrix: ## all kernels, machines, numbers of CPUs; goes on where it stopped
	tests/infra/matrix/run

coverage: ## lines of module/ that tests execute, and why not the others
	tests/infra/vm/setup check
	tests/infra/coverage/run

bench: ## what recording an event costs
	tests/bench/run
	tests/bench/private/run

vm: ## a shell in a virtual machine with the module; VM_TARGET=x86_64-6.1
	tests/infra/vm/setup check
	tests/infra/vm/build $(VM_TARGET)
	tests/infra/vm/run -I $(VM_TARGET)

style: ## checkpatch, sparse, compiler warnings, shellcheck, pyflakes, codespell, includes
	tests/infra/style/run

model: ## check the model of the ring with spin
	tests/infra/vm/setup proof
	$(MAKE) -C tests/model

install: all ## module (with depmod) and tools, as root
	@if [ -f build/module/etw.ko ]; then \
		$(MAKE) -C "$(KDIR)" M="$(CURDIR)/build/module" \
			INSTALL_MOD_PATH="$(root)" modules_install; \
	fi
	$(MAKE) -C tools O="$(CURDIR)/build/host/tools" PREFIX=$(PREFIX) DESTDIR="$(root)" install
	@[ -n "$(DESTDIR)" ] || ldconfig || true

clean: ## what was built here; not the cache in ~/.cache/etw
	rm -rf build trace.etl

clean-cache: ## the cache: kernels, compiled objects, downloads
	tests/infra/vm/clean-cache

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 12

.PHONY: all module tools packages docs pictures demo check quick proof matrix coverage bench vm style \
	model install clean clean-cache help
