#!/bin/sh
# Installs both programs of a release: fetches the archive of this platform, checks its digest, and puts the programs into
# ~/.local/bin.
#
#   SEXTANT_RELEASE=https://... sh install.sh      the address of a release's files
#   SEXTANT_PREFIX=/usr/local                      another folder than ~/.local
set -eu
release=${SEXTANT_RELEASE:?set it to the address of the files of a release}
prefix=${SEXTANT_PREFIX:-$HOME/.local}
fail() {
    echo "error: $1" >&2
    exit 2
}
fetch() { curl --fail --silent --show-error --location "$1" -o "$2" || fail "$1 cannot be fetched"; }
command -v curl > /dev/null || fail "curl is not on PATH"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch "$release/SHA256SUMS" "$work/SHA256SUMS"
wanted=$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]').tar.gz
line=$(grep -- "-$wanted\$" "$work/SHA256SUMS") || fail "the release has nothing for $wanted"
archive=${line##* }
case $archive in */* | -*) fail "the list of digests names '$archive'" ;; esac
fetch "$release/$archive" "$work/$archive"
if command -v sha256sum > /dev/null; then found=$(sha256sum "$work/$archive"); else found=$(shasum -a 256 "$work/$archive"); fi
[ "${found%% *}" = "${line%% *}" ] || fail "$archive has another digest than SHA256SUMS says"
tar -xzf "$work/$archive" -C "$work"
mkdir -p "$prefix/bin" "$prefix/share/man/man1"
for program in sextant sextant-index; do
    # Replaced as a whole: it may be running.
    cp "$work/${archive%.tar.gz}/bin/$program" "$prefix/bin/.$program.new"
    mv "$prefix/bin/.$program.new" "$prefix/bin/$program"
done
cp "$work/${archive%.tar.gz}"/share/man/man1/*.1 "$prefix/share/man/man1/"
echo "sextant and sextant-index are in $prefix/bin"
case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "note: $prefix/bin is not on PATH" >&2 ;; esac
