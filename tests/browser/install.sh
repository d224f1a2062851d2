#!/bin/sh
# Sees to it that the tests in a browser can run: tests/browser/install.sh
#
# Takes node 20, npm and chromium that are there; root gets missing ones with apt-get. npm gets the packages of package.json. Where
# that fails, it says in one line what is missing, and ends with status 1.
set -eu
cd "$(dirname "$0")"
chromium=${CHROMIUM:-/usr/bin/chromium}

give_up() {
  echo "no tests in a browser: $1" >&2
  exit 1
}

have_programs() {
  command -v node >/dev/null && command -v npm >/dev/null && test -x "$chromium"
}

is_new_enough() {
  test "${1%%.*}" -ge 20 2>/dev/null
}

# Only what is missing: the nodejs of other sources brings an npm of its own.
install_programs() {
  test "$(id -u)" = 0 && command -v apt-get >/dev/null || return 1
  export DEBIAN_FRONTEND=noninteractive
  timeout 120 apt-get -qq update >/dev/null 2>&1 || return 1
  missing=
  test -x "$chromium" || missing=chromium
  if ! command -v node >/dev/null; then
    is_new_enough "$(apt-cache policy nodejs | sed -n 's/ *Candidate: *\([0-9]*\).*/\1/p')" || return 1
    missing="$missing nodejs"
  fi
  command -v npm >/dev/null || missing="$missing npm"
  # One word for each package.
  # shellcheck disable=SC2086
  timeout 600 apt-get -qq install --yes --no-install-recommends $missing >/dev/null 2>&1
}

install_packages() {
  timeout 300 npm ci --no-audit --no-fund >/dev/null 2>&1
}

! command -v node >/dev/null || is_new_enough "$(node --print process.versions.node)" || give_up "node is older than 20"
command -v timeout >/dev/null || give_up "the command timeout is missing"
have_programs || install_programs || give_up "node, npm or $chromium is missing, and cannot be installed"
have_programs || give_up "node, npm or $chromium is missing"
# npm writes this file when everything else is there.
test -e node_modules/.package-lock.json || install_packages || give_up "npm cannot install the packages of tests/browser/package.json"
