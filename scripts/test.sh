#!/usr/bin/env bash
# Installs what the tests need on a Debian-like machine and passes them: format, lints, documentation,
# unit, whole-program and protocol tests, and the real clients.
#
#   scripts/test.sh           everything
#   scripts/test.sh --quick   without the real clients (installs nothing)
#   scripts/test.sh --long    everything, then the attacks and simulations in their long form (hours)
set -euo pipefail
cd "$(dirname "$0")/.."
# Settings of whoever runs this shall not matter.
export LOSANGE_NO_CONFIG=true

# Tests that have a long form.
long_tests=(--lib --test ladders --test attack --test referee --test hostile_models --test fuzz_corpus)

quick=false
long=false
for argument in "$@"; do
    case $argument in
        --quick) quick=true ;;
        --long) long=true ;;
        *) echo "usage: scripts/test.sh [--quick] [--long]" >&2; exit 2 ;;
    esac
done

step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# install PACKAGE...: Debian packages, only those that are missing.
install() {
    local missing=()
    for package in "$@"; do
        dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

if ! command -v cargo >/dev/null; then
    echo "scripts/test.sh: no cargo on the PATH. Install the stable Rust toolchain (https://rustup.rs), then run this again." >&2
    exit 1
fi

$quick || command -v shellcheck >/dev/null || install shellcheck
step "format"
cargo fmt --all --check
step "lints"
cargo clippy --all-targets --locked -- -D warnings
if command -v shellcheck >/dev/null; then
    shellcheck scripts/*.sh scripts/experiments/*.sh protocol-tests/clients/run .ci/run
fi
step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked --quiet
if command -v python3 >/dev/null; then
    scripts/measurements.py --check
    scripts/sentences.py --check
    scripts/ladders.py --check
fi
step "tests"
cargo test --locked

if ! $quick; then
    step "clients: what they need"
    command -v gnugo >/dev/null || [ -x /usr/games/gnugo ] || install gnugo
    command -v node >/dev/null || install nodejs
    command -v npm >/dev/null || install npm
    command -v python3 >/dev/null || install python3
    python3 -m pip --version >/dev/null 2>&1 || install python3-pip
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || install chromium
    step "models: ONNX Runtime"
    # Kept apart from what the user plays with.
    XDG_DATA_HOME=$PWD/target/data scripts/get-onnxruntime.sh cpu
    XDG_DATA_HOME=$PWD/target/data cargo test --locked --test models --test hostile_models -- --ignored
    step "learning"
    if ! python3 -c 'import numpy, onnx, ray, tensorboardX, torch' 2>/dev/null; then
        python3 -c 'import ensurepip' 2>/dev/null || install python3-venv
        python3 -m venv target/venv
        export PATH=$PWD/target/venv/bin:$PATH
        pip install --quiet --requirement scripts/train/requirements-fleet.txt
    fi
    cargo test --locked --test learning --test training -- --ignored
    step "clients"
    LOSANGE=${CARGO_TARGET_DIR:-$PWD/target}/debug/losange protocol-tests/clients/run
    step "browser"
    LOSANGE=${CARGO_TARGET_DIR:-$PWD/target}/debug/losange protocol-tests/browser/run
fi

if $long; then
    step "release build"
    cargo build --release --locked
    step "every interleaving"
    cargo run --locked --manifest-path loom/Cargo.toml
    step "Python"
    scripts/python.sh --release
    step "long forms"
    LOSANGE_LONG=1 cargo test --locked "${long_tests[@]}"
    # Those that take minutes whatever their form. No network of KataGo's lies here: LOSANGE_NETS names a folder with some.
    if [ -n "${LOSANGE_NETS:-}" ]; then
        cargo test --locked --lib --test katago -- --ignored
    else
        cargo test --locked --lib -- --ignored --skip real_networks_are_read
    fi
    LOSANGE_LONG=1 cargo test --locked --test learning -- --ignored
    step "browser, long form"
    LOSANGE_LONG=1 protocol-tests/browser/run
    step "dependencies"
    # The advisories come from the net; the rest needs none.
    if command -v cargo-deny >/dev/null; then
        cargo deny --locked check licenses bans sources
        cargo deny --locked check advisories
    else
        echo "skipped: cargo-deny is not installed (cargo install --locked cargo-deny)"
    fi
fi
step "all passed"
