# Everything happens in .venv/; a Python and make are all that must be there.

PYTHON ?= python3
WORKERS ?= 2
ARGS ?=
REPOSITORY ?=
SEEDS ?= 10000
MINUTES ?= 5
BIN := .venv/bin
PYTEST := $(PYTHON) .ci/in_memory.py $(BIN)/pytest -n $(WORKERS) --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help setup upgrade materials demo dist test test-long simulate simulate-mutants fuzz bench fmt lint check clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## .venv with both packages, every extra and the test tools, as locked
	$(call environment,install)

upgrade: ## move requirements.lock to the newest versions that fit
	$(call environment,upgrade)
	$(BIN)/python .ci/materials.py

materials: setup ## write materials.cdx.json: what the lock names, with licences (CycloneDX)
	$(BIN)/python .ci/materials.py

demo: setup ## the engine at work in the terminal, and a film
	@$(BIN)/python examples/demo.py
	@$(BIN)/callsheet make examples/briefs/harbor.yaml -o demo-film --home .demo

test: lint ## everything a change can break (ARGS= are given to pytest)
	@$(PYTHON) .ci/conformance.py
	$(PYTEST) --durations 10 $(ARGS)

test-long: lint ## the same, with the long tests and ten times the examples
	@$(PYTHON) .ci/conformance.py
	CALLSHEET_LONG=1 $(PYTEST) -m '' $(ARGS)

simulate: setup ## whole lives of the engine, each from one seed (SEEDS=10000)
	$(BIN)/python -m callsheet.testing.simulation --seeds $(SEEDS) $(ARGS)

simulate-mutants: setup ## after how many seeds each fault put into the engine is caught
	$(BIN)/python -m callsheet.testing.simulation --mutants

fuzz: setup ## spoiled plans, briefs, scripts, cuts, journals and answers (MINUTES=5)
	PYTHONPATH=.:packages/callsheet:packages/callsheet-studio $(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(ARGS)

bench: setup ## our numbers beside the limit of this machine and other engines (ARGS=--no-peers)
	env -u PYTHONDONTWRITEBYTECODE PYTHONPATH=.:packages/callsheet:packages/callsheet-studio $(BIN)/python -m bench $(ARGS)

dist: setup ## both distributions for a release (REPOSITORY=https://…)
	$(BIN)/python .ci/dist.py "$(REPOSITORY)"

fmt: setup ## format, and mend what can be mended
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

lint: setup ## formatting, rules, types, import contracts
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	@# It gives up (2) on workers that have not begun after 3 s: a machine that busy has no use for them.
	$(BIN)/mypy --num-workers $(WORKERS) || { [ $$? = 2 ] && $(BIN)/mypy; }
	$(BIN)/lint-imports --no-logo

check: test ## what CI runs: lint and test

clean: ## remove .venv, .bench, builds and caches
	rm -rf .venv .bench .demo demo-film build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache
	rm -rf .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define environment
@command -v $(PYTHON) >/dev/null || \
	{ echo "There is no $(PYTHON). Callsheet needs Python 3.11 or newer: make PYTHON=/path/to/python3 ..."; exit 1; } >&2
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "$$($(PYTHON) --version 2>&1) is too old. Callsheet needs 3.11 or newer: make PYTHON=/path/to/python3 ..."; exit 1; } >&2
@$(PYTHON) .ci/environment.py $(1)
endef
