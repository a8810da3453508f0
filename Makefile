# SPDX-License-Identifier: GPL-2.0
# For people; the module's own list of objects is in Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
VM_TARGET ?= x86_64-6.1

all: module tools

module: ## etw.ko for the running kernel, in build/module
	@if [ -d "$(KDIR)" ]; then \
		mkdir -p build/module && \
		cp -ru Kbuild module uapi build/module/ && \
		$(MAKE) -C "$(KDIR)" M="$(CURDIR)/build/module" modules; \
	else \
		echo 'No headers of the running kernel in $(KDIR): no module.'; \
		echo '"make demo" shows it in a virtual machine instead.'; \
	fi

tools: ## the tool etw, in build/host/tools
	$(MAKE) -C tools O="$(CURDIR)/build/host/tools"

demo: ## record a trace in a virtual machine and look at it
	tests/vm/demo

check: ## all tests; "tests/run PATTERN" runs some
	tests/vm/setup
	tests/run

bench: ## what recording an event costs
	tests/bench/run

vm: ## a shell in a virtual machine with the module; VM_TARGET=x86_64-6.1
	tests/vm/setup
	tests/vm/build $(VM_TARGET)
	tests/vm/run -I $(VM_TARGET)

style: ## checkpatch, sparse, compiler warnings, shellcheck, codespell
	tests/style

model: ## check the model of the ring with spin
	$(MAKE) -C tests/model

install: all ## module (with depmod) and tools, as root
	@if [ -f build/module/etw.ko ]; then \
		$(MAKE) -C "$(KDIR)" M="$(CURDIR)/build/module" \
			modules_install; \
	fi
	$(MAKE) -C tools O="$(CURDIR)/build/host/tools" PREFIX=$(PREFIX) install

clean: ## what was built here; not the cache in ~/.cache/etw
	rm -rf build trace.etl

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' Makefile | expand -t 12

.PHONY: all module tools demo check bench vm style model install clean help
