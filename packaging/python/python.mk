# The Python package, its wheel, its tests and its bench. Included by packaging/packaging.mk.
#
#   make python         the package in $(BUILD)/python/package, with the libraries in $(BUILD)/python/libraries
#   make wheel          $(BUILD)/python/bvbuild-VERSION-py3-none-PLATFORM.whl
#   make check-python   tests/python, mypy, the wheel in a new environment      make run-python_NAME   one file of tests/python
#   make bench-python   arrays of rays and points against a program in C      tests/bench/bench.mk
#
# To use what was made: PYTHONPATH=$(BUILD)/python/package BVBUILD_LIBRARIES=$(BUILD)/python/libraries python3

# Debian's Python has the packages; another one may come first on the path.
PYTHON           ?= /usr/bin/python3
PYTHON_BUILD     := $(BUILD)/python
PYTHON_SOURCES   := $(sort $(wildcard packaging/python/bvbuild/*))
PYTHON_FILES     := $(PYTHON_SOURCES:packaging/python/%=$(PYTHON_BUILD)/package/%) $(PYTHON_BUILD)/package/bvbuild/_native.py
PYTHON_LIBRARIES := $(patsubst $(BUILD)/%.$(VERSION),$(PYTHON_BUILD)/libraries/%.$(SOVERSION),$(LIBRARIES))
PYTHON_TESTS     := $(patsubst tests/python/test_%.py,%,$(sort $(wildcard tests/python/test_*.py)))
PYTHON_RUN        = PYTHONPATH='$(abspath $(PYTHON_BUILD)/package)' BVBUILD_LIBRARIES='$(abspath $(PYTHON_BUILD)/libraries)' PYTHONDONTWRITEBYTECODE=1 \
                    BUILD='$(abspath $(BUILD))' CC='$(CC)' $(PYTHON)

.PHONY: python python-package wheel check-python $(PYTHON_TESTS:%=run-python_%) run-python_types run-python_wheel
python-package: $(PYTHON_FILES)
python: python-package $(PYTHON_LIBRARIES)
$(PYTHON_BUILD)/package/bvbuild/%: packaging/python/bvbuild/%
	@mkdir -p $(@D)
	@cp $< $@
# From the headers, so that no change of them is missed.
$(PYTHON_BUILD)/package/bvbuild/_native.py: packaging/python/generate.py $(wildcard include/*/*.h)
	@mkdir -p $(@D)
	$(call quiet,python)CC='$(CC)' PYTHONDONTWRITEBYTECODE=1 $(PYTHON) $< module include > $@
$(PYTHON_BUILD)/libraries/%.so.$(SOVERSION): $(BUILD)/%.so.$(VERSION)
	@mkdir -p $(@D)
	@ln -sf $(abspath $<) $@
$(PYTHON_BUILD)/offsets: packaging/python/generate.py $(wildcard include/*/*.h)
	@mkdir -p $(@D)
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) $< offsets include > $@.c
	$(call quiet,offsets)$(CC) -std=c17 -Iinclude $@.c -o $@

wheel: python
	@PYTHONDONTWRITEBYTECODE=1 $(PYTHON) packaging/python/wheel.py $(PYTHON_BUILD) $(VERSION)

$(PYTHON_TESTS:%=run-python_%): run-python_%: python tools $(PYTHON_BUILD)/offsets
	@$(PYTHON_RUN) tests/python/test_$*.py > $(PYTHON_BUILD)/$*.log 2>&1 || { cat $(PYTHON_BUILD)/$*.log; exit 1; }
	@tail -n 3 $(PYTHON_BUILD)/$*.log | grep -E '^Ran' | sed 's/^/python $*: /'
run-python_types: python
	@$(PYTHON) -m mypy --strict --no-warn-return-any --no-error-summary --cache-dir $(PYTHON_BUILD)/mypy --python-version 3.9 $(PYTHON_BUILD)/package/bvbuild tests/python/typed.py
	@echo 'python types: mypy reports nothing'
run-python_wheel: wheel
	@PYTHON='$(PYTHON)' BUILD='$(abspath $(BUILD))' sh tests/python/wheel.sh
check-python: $(PYTHON_TESTS:%=run-python_%) run-python_types run-python_wheel
