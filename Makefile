# What people type. `make help` lists it; everything runs in .venv, which is made on first use.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# The first Python that is new enough; `make PYTHON=... test` names another one.
PYTHON ?= $(shell for p in python3.11 python3 python; do \
    "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
PIP_COMPILE ?= pipx run --spec pip-tools pip-compile
PACKAGES := bluebear clients protocol rules server
# Modules that write docs from code, and with --check say whether the docs are fresh.
GENERATORS := protocol.schema server.commands.docs bluebear.typescript

# NAME counts only when it is given to make: some systems keep the machine's name in $NAME.
ifeq ($(origin NAME),command line)
NAMED := --name '$(subst ','\'',$(NAME))'
endif

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16
	@echo '  NAME=Ayu names you; ARGS="..." is handed on to the program.'

# The commands of the next three write nothing of their own to stdout and leave stdin alone:
# whoever pipes lines in, or reads the game from a pipe, speaks with the program itself.
.PHONY: play
play: .venv/runtime ## start a server, or join the one that runs here, and play
	@$(BIN)/bluebear play $(NAMED) $(ARGS)

.PHONY: serve
serve: .venv/runtime ## run the server alone
	@$(BIN)/bluebear serve $(ARGS)

.PHONY: chat
chat: .venv/runtime ## join a running server: ARGS=ws://HOST:PORT or an invite link
	@$(BIN)/bluebear chat $(NAMED) $(ARGS)

.PHONY: test
test: lint types fresh ## everything that must hold: style, types, imports, docs, tests
	$(BIN)/pytest -n 2 --dist worksteal -rs $(ARGS)

.PHONY: lint
lint: .venv/dev ## ruff and the import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

.PHONY: types
types: .venv/dev ## mypy --strict over packages and tests
	$(BIN)/mypy

.PHONY: fresh
fresh: .venv/dev ## are the generated docs those of this code?
	@set -e; for module in $(GENERATORS); do $(BIN)/python -m $$module --check; done

.PHONY: docs
docs: .venv/dev ## write the generated docs anew
	@set -e; for module in $(GENERATORS); do $(BIN)/python -m $$module; done

.PHONY: bench
bench: .venv/dev ## measure; the figures belong into docs/performance.md
	$(BIN)/python -m tests.bench $(ARGS)

.PHONY: pins
pins: ## resolve pyproject.toml into the two requirements files
	@for out in requirements requirements-dev; do \
	    extra=(); [ $$out = requirements ] || extra=(--extra dev -c requirements.txt); \
	    rm -f $$out.txt; \
	    $(PIP_COMPILE) --quiet --generate-hashes --allow-unsafe --strip-extras --all-build-deps \
	        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header \
	        "$${extra[@]}" -o $$out.txt pyproject.toml || exit 1; \
	    { cat .ci/pins-header; cat $$out.txt; } > $$out.new && mv $$out.new $$out.txt; \
	done

.PHONY: clean
clean: ## remove what can be made again; ./var (your games) stays
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: made anew when what they were made from is newer. All chatter goes to stderr.
.venv/runtime: requirements.txt pyproject.toml
	@[ -n "$(PYTHON)" ] || { echo 'BlueBear needs Python 3.11 or newer. / Python 3.11 以上が必要です。' >&2; exit 2; }
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv .venv >&2
	@$(PIP) install --require-hashes -r requirements.txt >&2
	@$(PIP) install --no-deps --no-build-isolation -e . >&2
	@touch $@

.venv/dev: .venv/runtime requirements-dev.txt
	@$(PIP) install --require-hashes -r requirements-dev.txt >&2
	@touch $@
