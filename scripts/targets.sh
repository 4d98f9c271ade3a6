#!/usr/bin/env bash
# Checks that the program compiles without a warning for the platforms that releases are made for; no linker is needed.
#
#   scripts/targets.sh [TARGET...]
#
# Standard libraries that are missing are fetched with rustup. A target whose library cannot be had is named and left out.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- aarch64-unknown-linux-gnu aarch64-apple-darwin x86_64-pc-windows-msvc x86_64-pc-windows-gnu
libraries=$(rustc --print sysroot)/lib/rustlib
for target in "$@"; do
    if [ ! -d "$libraries/$target" ] && ! rustup target add "$target"; then
        echo "targets: not checked, as there is no standard library: $target" >&2
        continue
    fi
    echo "== $target"
    cargo clippy --quiet --locked --target "$target" -- -D warnings
done
