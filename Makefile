# OpenBench builds engines with `make EXE=name` and expects the program beside this file.
EXE ?= squarewise

# Features of Cargo. A branch whose numbers are to be tuned by OpenBench sets `tuning` here, because its machines
# pass nothing but EXE.
FEATURES ?=

# Cargo builds elsewhere if the environment says so.
PROGRAM := $(or $(CARGO_TARGET_DIR),target)/release/squarewise$(if $(filter Windows_NT,$(OS)),.exe)

.PHONY: all
all:
	cargo build --release --package squarewise --features "$(FEATURES)"
	cp "$(PROGRAM)" "$(EXE)"
