# Every target that a person types. `make help` lists them.

PYTHON ?= python3
STUDIES ?= ../shared/studies
ARTIFACTS ?= artifacts
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCK := $(BIN)/uv pip compile pyproject.toml --no-config --universal --python-version 3.11 --quiet \
	--generate-hashes --no-emit-index-url --no-header --no-annotate

.DEFAULT_GOAL := site
.PHONY: site serve verify test lint format artifacts bench fuzz lock clean help

site: $(VENV)/.ready-site ## verify, render _site/, say what came out and which page to open (the default)
	@$(BIN)/tieout render $(ARGS)

serve: $(VENV)/.ready-site ## serve _site/ on this machine alone, with its search
	@$(BIN)/tieout serve $(ARGS)

verify: $(VENV)/.ready ## recompute every printed number of artifacts/
	@$(BIN)/tieout verify $(ARGS)

test: $(VENV)/.ready-dev ## run the tests; ARGS="-k exact" picks some
	@$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.ready-dev ## ruff, its formatter and mypy; changes nothing
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy

format: $(VENV)/.ready-dev ## let ruff put the code in order
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

# The suite of retrievers is run, not read: that needs the extra `retrieval`, which the tests' environment holds.
artifacts: $(VENV)/.ready-dev ## make the imported packages anew from STUDIES
	$(BIN)/tieout import album-study $(STUDIES)/album-memory-1 --output $(ARTIFACTS)/packages/album-memory-1
	$(BIN)/tieout import album-study $(STUDIES)/album-memory-2 --output $(ARTIFACTS)/packages/album-memory-2
	$(BIN)/tieout import tau-bench $(STUDIES)/tau-bench-airline/gpt-4o-airline.json \
		--output $(ARTIFACTS)/packages/tau-bench-airline
	$(BIN)/tieout import tables $(ARTIFACTS)/sources/buffer-lab --output $(ARTIFACTS)/packages/buffer-lab
	$(BIN)/tieout import tables $(ARTIFACTS)/sources/tiered-memory --output $(ARTIFACTS)/packages/tiered-memory
	$(BIN)/tieout import tables $(ARTIFACTS)/sources/retrieval-recall/example \
		--output $(ARTIFACTS)/packages/retrieval-recall-example
	$(BIN)/tieout import retrieval-suite $(ARTIFACTS)/sources/retrieval-recall/suite \
		--output $(ARTIFACTS)/packages/retrieval-suite
	for package in $(ARTIFACTS)/packages/*/; do $(BIN)/tieout derive $$package || exit; done
	$(BIN)/tieout freeze $(ARTIFACTS)/packages/*/

bench: $(VENV)/.ready-bench ## measure against peers, and write bench/README.md; takes about half an hour
	@$(BIN)/python -m bench.report

fuzz: $(VENV)/.ready-bench ## fuzz what reads documents and printed numbers, for a minute
	@$(BIN)/python tests/fuzz/fuzz.py $(ARGS)

lock: $(VENV)/.ready-dev ## resolve the lock files anew, for Python 3.11 to 3.14
	@$(LOCK) --group build --output-file requirements.lock
	@$(LOCK) --extra site --constraint requirements.lock --output-file requirements-site.lock
	@$(LOCK) --group dev --extra retrieval --extra site --constraint requirements.lock --constraint requirements-site.lock \
		--output-file requirements-dev.lock
	@$(LOCK) --group bench --constraint requirements-dev.lock --output-file requirements-bench.lock

clean: ## remove the environment and everything that tools left
	@rm -rf $(VENV) build dist _site .tieout-cache .quarto .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The environment. The locks name every package with its hashes; only ready-made wheels are taken, because building a
# package would fetch a build backend that no lock names. The checkout itself is installed editable, with nothing fetched.
$(VENV)/.ready: requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "make: no $(PYTHON) here; name a Python 3.11 or newer: make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "make: $$($(PYTHON) --version) is too old; name a Python 3.11 or newer: make PYTHON=python3.12" >&2; exit 2; }
	@echo "Setting up $(VENV) with $$($(PYTHON) --version), this once" >&2
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
		$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
			echo "make: this Python cannot make an environment; on Debian and Ubuntu install the package python3-venv" >&2; exit 2; }; \
		$(PYTHON) -m venv --clear $(VENV); }
	@$(INSTALL) --require-hashes --only-binary :all: --requirement requirements.lock
	@$(INSTALL) --no-deps --no-index --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q analysis/tieout # as pip does with all that it installs, but for what stays in its place
	@touch $@

$(VENV)/.ready-site: requirements-site.lock $(VENV)/.ready
	@echo "Adding what the site needs to $(VENV), this once" >&2
	@$(INSTALL) --require-hashes --only-binary :all: --requirement requirements-site.lock
	@touch $@

$(VENV)/.ready-dev: requirements-dev.lock $(VENV)/.ready
	@echo "Adding what the tests need to $(VENV), this once" >&2
	@$(INSTALL) --require-hashes --only-binary :all: --requirement requirements-dev.lock
	@touch $@

$(VENV)/.ready-bench: requirements-bench.lock $(VENV)/.ready-dev
	@echo "Adding what the benchmarks need to $(VENV), this once" >&2
	@$(INSTALL) --require-hashes --only-binary :all: --requirement requirements-bench.lock
	@touch $@
