// Compares the grammar with the program on rule files: a text has a tree without errors just where `kolibri check`
// finds that its parentheses match.
//   node test/rule_files.js FOLDER…     KOLIBRI names the program

'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

// What `kolibri check` reports of texts rather than of rules; see docs/reference/diagnostics.md.
const OF_TEXT = new Set(['surplus-parenthesis', 'unclosed-parenthesis']);
// What no grammar can judge.
const UNREADABLE = new Set(['file-too-large', 'not-a-rule-file', 'nul-byte', 'invalid-utf8', 'too-deep', 'empty']);

function main() {
  const folders = process.argv.slice(2).map((folder) => path.resolve(folder));
  if (folders.length === 0) folders.push(path.join(__dirname, '../../../games'));
  const files = folders.flatMap((folder) =>
    fs.readdirSync(folder).filter((name) => name.endsWith('.kif')).map((name) => path.join(folder, name)),
  );
  const faulty = filesWithErrors(files);
  let failed = 0;
  for (const file of files) {
    const codes = codesOf(file);
    if (codes.some((code) => UNREADABLE.has(code))) continue;
    const expected = codes.some((code) => OF_TEXT.has(code));
    if (expected !== faulty.has(file)) {
      failed += 1;
      console.log(`${file}: the program ${expected ? 'finds' : 'does not find'} a wrong parenthesis`);
    }
  }
  console.log(`${files.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 && files.length > 0 ? 0 : 1);
}

/** Those of the files whose trees have errors. */
function filesWithErrors(files) {
  const list = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'gdl-')), 'files');
  fs.writeFileSync(list, files.join('\n'));
  const ended = run('tree-sitter', ['parse', '--quiet', '--paths', list]);
  const lines = ended.stdout.split('\n').filter((line) => line.includes('\t'));
  return new Set(lines.map((line) => line.split('\t')[0].trim()));
}

/** The codes of everything that the program reports of a file. */
function codesOf(file) {
  const ended = run(process.env.KOLIBRI ?? 'kolibri', ['check', '--json', file]);
  return JSON.parse(ended.stdout).diagnostics.map((found) => found.code);
}

function run(program, args) {
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, cwd: path.join(__dirname, '..') };
  const ended = spawnSync(program, args, options);
  if (ended.error) throw ended.error;
  return ended;
}

main();
