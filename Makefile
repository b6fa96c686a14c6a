# What people type. `make help` lists it; everything runs in .venv, which is made on first use.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# The first Python that is new enough; `make PYTHON=... test` names another one.
PYTHON ?= $(shell for p in python3.11 python3 python; do \
    "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin
WEB := clients/web
NODE := $(WEB)/with-node
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
PIP_COMPILE ?= pipx run --spec pip-tools pip-compile
PACKAGES := bluebear clients protocol rules server
PAGE_SOURCES := $(shell find $(WEB)/src $(WEB)/public -type f) $(addprefix $(WEB)/,index.html vite.config.ts pack.mjs package.json)
# Modules that write docs from code, and with --check say whether the docs are fresh.
GENERATORS := bluebear.protocol.schema bluebear.server.commands.docs bluebear.typescript

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
play: .venv/runtime page ## start a server, or join the one that runs here, and play
	@$(BIN)/bluebear play $(NAMED) $(ARGS)

.PHONY: serve
serve: .venv/runtime page ## run the server alone
	@$(BIN)/bluebear serve $(ARGS)

.PHONY: cluster
cluster: .venv/dev page ## two nodes over a PostgreSQL of their own: N=4 for more
	@$(BIN)/python -m tests.tools.cluster serve --processes $(or $(N),2) $(ARGS)

.PHONY: chat
chat: .venv/runtime ## join a running server: ARGS=ws://HOST:PORT or an invite link
	@$(BIN)/bluebear chat $(NAMED) $(ARGS)

.PHONY: page
page: .venv/runtime ## build the page, where its sources have changed
	@$(MAKE) --silent --no-print-directory server/static/index.html >&2 \
	    || echo 'The page could not be built; the chat works without. / ページを作れませんでした。チャットは使えます。' >&2

# Twice as many as a small machine has processors: one half waits for browsers, processes and disks.
WORKERS ?= 4

# Hundreds of processes are started: where an environment forbids to keep what was compiled, each of
# them would compile everything anew.
test quick coverage: export PYTHONDONTWRITEBYTECODE =

.PHONY: test
test: .venv/runtime ## everything that must hold: style, types, imports, docs, tests
	@# Node may have to be installed with pip, which must not run twice at once.
	@$(NODE) true
	@$(MAKE) --no-print-directory --jobs 2 .venv/dev .venv/page-dev
	@$(MAKE) --no-print-directory --jobs 3 lint fresh .venv/compiled server/static/index.html
	@$(MAKE) --no-print-directory --jobs 3 suite beside

# The suite shows how far it is; what is checked beside it says what it has to say at its end.
.PHONY: suite beside
suite: .venv/dev
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -rs $(ARGS)
beside:
	@$(MAKE) --no-print-directory --output-sync --keep-going types web

# What a change breaks most often, and soonest: no sockets, no browser; eight storms in virtual time.
QUICK := tests/rules/core tests/rules/test_goldens.py tests/protocol tests/journals \
    tests/server/room tests/server/commands

.PHONY: quick
quick: lint ## what a change needs most, in a minute and a half
	@$(MAKE) --no-print-directory --jobs 2 few types

.PHONY: few
few: .venv/dev
	$(BIN)/python -m tests.sim 0-7
	$(BIN)/pytest -n 2 --dist worksteal -q $(ARGS) $(QUICK)

.PHONY: coverage
coverage: .venv/dev ## which lines of each file the tests run: ARGS=tests/server for some of them
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal -q $(ARGS)
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

.PHONY: lint
lint: .venv/dev ## ruff and the import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

.PHONY: web
web: .venv/page-dev server/static/index.html ## the page: style, types, tests of its pure parts
	$(NODE) npm run --silent check
	$(NODE) npm run --silent test

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
	$(BIN)/python -m tests.tools.bench $(ARGS)

.PHONY: arena
arena: .venv/dev ## let bots meet: GAME=manhattan BOTS=search@0.2,greedy GAMES=20
	@$(BIN)/python -m bluebear.clients.bots.search $(GAME) $(BOTS) --games $(or $(GAMES),20) $(ARGS)

.PHONY: pins
pins: ## resolve pyproject.toml into the requirements files
	@for out in requirements requirements-dev requirements-page requirements-rl; do \
	    extra=(); [ $$out = requirements ] || extra=(--extra $$(cut -d- -f2 <<<$$out) -c requirements.txt); \
	    rm -f $$out.txt; \
	    $(PIP_COMPILE) --quiet --generate-hashes --allow-unsafe --strip-extras --all-build-deps \
	        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header \
	        "$${extra[@]}" -o $$out.txt pyproject.toml || exit 1; \
	    { cat .ci/pins-header; cat $$out.txt; } > $$out.new && mv $$out.new $$out.txt; \
	done
	@# It was made for its list of requirements; left here it would tell today's version for ever.
	rm -rf bluebear.egg-info

SBOM ?= pipx run --spec cyclonedx-bom cyclonedx-py

.PHONY: sbom
sbom: ## what server and page are made of, as CycloneDX in ./sbom
	@mkdir -p sbom
	@$(SBOM) requirements requirements.txt --pyproject pyproject.toml --output-reproducible \
	    --of JSON -o sbom/server.cdx.json
	@cd $(WEB) && ./with-node npm sbom --sbom-format cyclonedx --package-lock-only \
	    > $(CURDIR)/sbom/page.cdx.json

.PHONY: clean
clean: ## remove what can be made again; ./var (your games) stays
	rm -rf .venv build dist server/static $(WEB)/build $(WEB)/node_modules *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.*
	find $(PACKAGES) tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: made anew when what they were made from is newer. All chatter goes to stderr.
.venv/runtime: requirements.txt pyproject.toml setup.py
	@[ -n "$(PYTHON)" ] || { echo 'BlueBear needs Python 3.11 or newer. / Python 3.11 以上が必要です。' >&2; exit 2; }
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv .venv >&2
	@$(PIP) install --require-hashes -r requirements.txt >&2
	@$(PIP) install --no-deps --no-build-isolation -e . >&2
	@touch $@

# What the page is built with; all that its tests need is more, and takes its place.
.venv/page-build: .venv/runtime $(WEB)/package-lock.json requirements-page.txt
	@[ -e .venv/page-dev ] || $(NODE) npm ci --omit=dev --no-audit --no-fund >&2
	@touch $@

.venv/page-dev: .venv/runtime $(WEB)/package-lock.json requirements-page.txt
	@$(NODE) npm ci --no-audit --no-fund >&2
	@touch $@ .venv/page-build

server/static/index.html: .venv/page-build $(PAGE_SOURCES)
	@$(NODE) npm run --silent build >&2
	@touch $@

.venv/dev: .venv/runtime requirements-dev.txt requirements-rl.txt
	@# Most of it is never imported; what is gets compiled then.
	@$(PIP) install --no-compile --require-hashes -r requirements-dev.txt -r requirements-rl.txt >&2
	@touch $@

# Each worker of the suite would compile all tests anew, where nothing has.
.venv/compiled: .venv/dev
	@collected=$$($(BIN)/pytest --collect-only --quiet --quiet 2>&1) \
	    || { printf '%s\n' "$$collected" | grep -v '^tests/.*: [0-9]*$$'; exit 1; }
	@touch $@
