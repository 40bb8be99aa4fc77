# Everything this project does from a shell, by one word each. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := /bin/sh

VENV := .venv
PYTHON := $(VENV)/bin/python
PIP_INSTALL := $(PYTHON) -m pip install --quiet --disable-pip-version-check -c constraints.txt
INPUTS := pyproject.toml constraints.txt

# What is installed is remembered in these files, so that a second run starts at once and asks no network.
# A development environment also runs the app: it touches both.
RUN_STAMP := $(VENV)/.installed-to-run
DEV_STAMP := $(VENV)/.installed-to-develop
DOCS_STAMP := $(VENV)/.installed-to-document

# The pins and the pictures are made with 3.11; any later Python is taken when it is the only one here.
find_python = $$(for name in python3.11 python3 python3.14 python3.13 python3.12; do \
	if $$name -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$name; break; fi; done)

# Tests run on this many processes, each file in one of them, as its tests share servers and browsers. Some only wait;
# tests/conftest.py puts these between the others, in an order that is kept.
JOBS ?= 4
# Extra words for pytest or for the app: make test ARGS="-k undo", make run ARGS="open paper".
ARGS ?=

.PHONY: help
help: ## list these commands
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: $(RUN_STAMP) ## set up if needed, and open the app
	@$(PYTHON) -m bpe_tui $(ARGS)

.PHONY: test
test: $(DEV_STAMP) browser shells ## set up if needed, and run the whole test suite
	$(PYTHON) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS)

# The tests of `serve` drive a real browser: the one that is here, or else Debian's.
.PHONY: browser
browser:
	@for name in chromium chromium-browser google-chrome chrome; do \
		if command -v $$name >/dev/null; then exit 0; fi; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Chromium, for the tests of bpe-tui serve"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	else \
		echo "The tests of bpe-tui serve need Chromium. As root: apt-get install chromium" >&2; exit 1; \
	fi

# Completion is tried in the shells themselves.
.PHONY: shells
shells:
	@missing=; for name in bash zsh fish; do command -v $$name >/dev/null || missing="$$missing $$name"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing$$missing, for the tests of completion"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	else \
		echo "The tests of completion need these shells. As root: apt-get install$$missing" >&2; exit 1; \
	fi

.PHONY: lint
lint: $(DEV_STAMP) ## check format, lint, types and the import contract
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	$(PYTHON) -m mypy --config-file tools/windows.ini
	$(VENV)/bin/lint-imports

.PHONY: check
check: lint test ## everything: lint and test

.PHONY: format
format: $(DEV_STAMP) ## put the code in its format, and fix what can be fixed safely
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

.PHONY: snapshots
snapshots: $(DEV_STAMP) ## make the pictures of the tests anew; look at each before you commit it
	$(PYTHON) -m pytest -p no:xdist tests/snapshots --snapshot-update $(ARGS)

.PHONY: pictures
pictures: $(DEV_STAMP) ## make the README's pictures anew
	$(PYTHON) -m tools.pictures

.PHONY: commands
commands: $(DEV_STAMP) ## make docs/commands.md anew from the command line's own help
	$(PYTHON) -m tools.commands

.PHONY: docs
docs: $(DOCS_STAMP) ## build the documentation site in build/site, and check its links
	$(PYTHON) -m tools.site

.PHONY: cheat-sheet
cheat-sheet: $(DEV_STAMP) ## make the page for the wall, docs/pictures/cheat-sheet.svg, anew
	$(PYTHON) -m tools.cheat_sheet

.PHONY: catalogue
catalogue: $(DEV_STAMP) ## collect the program's sentences into the translations, and compile these
	$(PYTHON) -m tools.catalogue

.PHONY: manual
manual: $(DEV_STAMP) ## make the manual page from the command line's help
	$(PYTHON) -m tools.manual

.PHONY: bench
bench: $(DEV_STAMP) ## time training against other tools, side by side
	$(PYTHON) -m benchmarks $(ARGS)

.PHONY: bench-ui
bench-ui: $(DEV_STAMP) ## time the screen, from key to last byte
	$(PYTHON) -m benchmarks.ui $(ARGS)

.PHONY: bench-web
bench-web: $(DEV_STAMP) ## time thirty clients at one server, from key to change
	$(PYTHON) -m benchmarks.web $(ARGS)

.PHONY: dist
dist: $(DEV_STAMP) ## build the source distribution and the wheel, twice, and see that they are the same
	rm -rf dist build/again
	$(PYTHON) -m build --no-isolation --outdir dist . # the wheel is built from the source distribution,
	$(PYTHON) -m build --no-isolation --sdist --wheel --outdir build/again . # ... and here from the checkout
	@for file in dist/*; do cmp "$$file" "build/again/$${file#dist/}" || exit 1; done
	@rm -rf build/again

.PHONY: clean
clean: ## remove all that these commands made, the environment included
	rm -rf $(VENV) .venv-bench .bench .cache build dist snapshot_report.html .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PYTHON):
	@python=$(find_python); \
	if [ -z "$$python" ]; then echo "Python 3.11 or later is needed, with its venv module." >&2; exit 1; fi; \
	echo "Making an environment in $(VENV) with $$python"; \
	$$python -m venv $(VENV)

$(RUN_STAMP): $(INPUTS) | $(PYTHON)
	@echo "Installing bpe-tui into $(VENV)"
	@$(PIP_INSTALL) -e .
	@$(PYTHON) -m compileall -q bpe_tui
	@touch $@

$(DEV_STAMP): $(INPUTS) | $(PYTHON)
	@echo "Installing bpe-tui and its development tools into $(VENV)"
	@$(PIP_INSTALL) -e '.[dev]'
	@$(PYTHON) -m compileall -q bpe_tui
	@touch $@ $(RUN_STAMP)

$(DOCS_STAMP): $(INPUTS) | $(PYTHON)
	@echo "Installing bpe-tui and what builds its site into $(VENV)"
	@$(PIP_INSTALL) -e '.[docs]'
	@touch $@ $(RUN_STAMP)
