#!/bin/sh
# Tests the page of `kolibri serve` in a browser: tests/browser/run.sh BINARY [FILE...]
#
# BINARY is the program, for example target/release/kolibri; FILEs are test files in this folder, all if none is named.
# KOLIBRI_SCREENSHOTS names a folder for a picture of the end of each test.
# Needs what install.sh gets: node 20 with npm, and chromium (CHROMIUM names another path than /usr/bin/chromium).
set -eu
binary=$(realpath "${1:?give the path of the program}")
shift
if [ -n "${KOLIBRI_SCREENSHOTS:-}" ]; then
  KOLIBRI_SCREENSHOTS=$(realpath "$KOLIBRI_SCREENSHOTS")
  export KOLIBRI_SCREENSHOTS
fi
cd "$(dirname "$0")"
./install.sh
npx --no-install tsc -p tsconfig.json
# types.js is for the type checker alone: no browser loads it. The style of boards is served as a file of the page.
size=$(find ../../web ../../src/drawing/svg/style.css -type f ! -name types.js -exec cat {} + | wc -c)
if [ "$size" -gt 200000 ]; then
  echo "the page has $size bytes, more than 200000" >&2
  exit 1
fi
test $# -gt 0 || set -- *.test.mjs
KOLIBRI_BINARY=$binary exec node --test --test-concurrency=1 --test-reporter=spec "$@"
