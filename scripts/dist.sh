#!/usr/bin/env bash
# Builds the program for those who only run it, lets it play, and makes an archive of it: target/dist-archives/losange-VERSION-TARGET.
#
#   scripts/dist.sh [TARGET]      for this machine, or for a target whose programs it can run
#
# The archive has the program, completions, manual pages, licences, the README and the scripts that fetch libraries and networks.
# Runs on Linux, macOS (bash from 3.2 on) and Windows (Git's bash).
set -euo pipefail
cd "$(dirname "$0")/.."

target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
version=$(cargo pkgid | sed 's/.*[#@]//')
case $target in
    *-windows-*) suffix=.exe kind=zip ;;
    *) suffix='' kind=gztar ;;
esac
cargo build --profile dist --locked --target "$target" --bin losange
program=${CARGO_TARGET_DIR:-target}/$target/dist/losange$suffix

answers=$(printf 'genmove b\nquit\n' | "$program" --no-config go --size 9 --time 0.5)
case $answers in
    "= "[A-J][1-9]*) ;;
    *) echo "dist: $program does not play: $answers" >&2; exit 1 ;;
esac

archives=target/dist-archives
name=losange-$version-$target
rm -rf "${archives:?}/$name"
mkdir -p "$archives/$name/completions" "$archives/$name/scripts"
cp "$program" README.md CHANGELOG.md LICENSE LICENSE-MIT LICENSE-APACHE "$archives/$name"
cp scripts/get-onnxruntime.sh scripts/get-katago-net.sh "$archives/$name/scripts"
for shell in bash zsh fish powershell; do
    "$program" --no-config completions "$shell" >"$archives/$name/completions/losange.$shell"
done
"$program" --no-config man "$archives/$name/man"
"$(command -v python3 || command -v python)" -c 'import shutil, sys; print(shutil.make_archive(sys.argv[2], sys.argv[3], sys.argv[1], sys.argv[4]))' \
    "$archives" "$archives/$name" "$kind" "$name"
rm -rf "${archives:?}/$name"
