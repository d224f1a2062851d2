// The language server, spoken to with the protocol library of VS Code:
//   node test/protocol.js      KOLIBRI names the program
// Random edits of texts with all line ends and characters of one to four bytes must leave the server with the text
// that the editor has: what it answers then must be what it answers of the same text opened anew.

'use strict';
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const { StreamMessageReader, StreamMessageWriter, createProtocolConnection } = require('vscode-languageserver-protocol/node');
const { TextDocument } = require('vscode-languageserver-textdocument');

const GAME = fs.readFileSync(path.join(__dirname, '../../../games/tictactoe.kif'), 'utf8');

/** A server that is initialised, and what it has published. */
class Server {
  static async start(capabilities = {}) {
    const server = new Server();
    server.process = spawn(process.env.KOLIBRI ?? 'kolibri', ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    server.ended = new Promise((resolve) => server.process.on('exit', resolve));
    server.connection = createProtocolConnection(
      new StreamMessageReader(server.process.stdout),
      new StreamMessageWriter(server.process.stdin),
    );
    server.published = new Map();
    server.connection.onNotification('textDocument/publishDiagnostics', (found) => {
      server.published.set(found.uri, found);
      server.onPublished?.(found);
    });
    server.connection.onRequest('client/registerCapability', () => null);
    server.connection.onRequest('workspace/configuration', ({ items }) => items.map(() => null));
    server.connection.listen();
    server.initialized = await server.request('initialize', { processId: process.pid, rootUri: null, capabilities });
    await server.connection.sendNotification('initialized', {});
    return server;
  }

  request(method, params) {
    return params ? this.connection.sendRequest(method, params) : this.connection.sendRequest(method);
  }

  async open(uri, text, version = 1) {
    const textDocument = { uri, languageId: 'gdl', version, text };
    await this.connection.sendNotification('textDocument/didOpen', { textDocument });
    return TextDocument.create(uri, 'gdl', version, text);
  }

  /** The diagnostics of a version of a document. */
  diagnostics(uri, version) {
    const isIt = (found) => found?.uri === uri && found.version === version;
    if (isIt(this.published.get(uri))) return Promise.resolve(this.published.get(uri).diagnostics);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no diagnostics of version ${version}`)), 20000);
      this.onPublished = (found) => {
        if (!isIt(found)) return;
        clearTimeout(late);
        this.onPublished = undefined;
        resolve(found.diagnostics);
      };
    });
  }

  async stop() {
    await this.request('shutdown');
    await this.connection.sendNotification('exit');
    return this.ended;
  }
}

/** Numbers that are the same in every run. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    yield state >>> 8;
  }
}

/** Everything that the server says of a text, without the address of the text. */
async function answers(server, uri, version) {
  const textDocument = { uri };
  const ask = (method, params) => server.request(`textDocument/${method}`, { textDocument, ...params });
  const said = {
    diagnostics: await server.diagnostics(uri, version),
    symbols: await ask('documentSymbol'),
    folds: await ask('foldingRange'),
    tokens: (await ask('semanticTokens/full'))?.data,
    layout: await ask('formatting', { options: { tabSize: 4, insertSpaces: true } }).catch((error) => error.message),
  };
  return JSON.parse(JSON.stringify(said).replaceAll(uri, 'URI'));
}

const PIECES = ['(', ')', ' ', '\n', '\r\n', ';', '?x', 'cell', 'ž', '語', '🎲', '(true (f ?x))', '(<= (a ?x)\n', ''];

/** Before a character rather than within it. */
function boundary(document, offset) {
  const code = document.getText().charCodeAt(offset);
  return code >= 0xdc00 && code < 0xe000 ? offset - 1 : offset;
}

function randomEdit(document, random) {
  const next = (end) => random.next().value % end;
  const length = document.getText().length;
  const start = boundary(document, next(length + 1));
  const end = boundary(document, Math.min(length, start + next(12)));
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  return { range, text: PIECES[next(PIECES.length)] };
}

test('after random edits the server has the text of the editor', async () => {
  const server = await Server.start();
  const random = numbers(1);
  for (const [name, text] of [['lf', GAME], ['crlf', GAME.replaceAll('\n', '\r\n')], ['wide', '(role 🎲) ; 語 ž\n'.repeat(20)]]) {
    const uri = `file:///${name}.kif`;
    const document = await server.open(uri, text);
    for (let round = 2; round < 42; round++) {
      const edits = [randomEdit(document, random)];
      TextDocument.update(document, edits, round);
      const change = { textDocument: { uri, version: round }, contentChanges: edits };
      await server.connection.sendNotification('textDocument/didChange', change);
      if (round % 5 !== 0) continue;
      const fresh = `file:///${name}-${round}.kif`;
      await server.open(fresh, document.getText(), round);
      assert.deepEqual(await answers(server, uri, round), await answers(server, fresh, round));
      await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri: fresh } });
    }
  }
  assert.equal(await server.stop(), 0);
});

test('edits that follow each other are applied in order', async () => {
  const server = await Server.start();
  const uri = 'file:///typed.kif';
  await server.open(uri, '');
  const text = '(role 🎲a)\n(role b)\n';
  let version = 1;
  let position = { line: 0, character: 0 };
  for (const character of text) {
    version += 1;
    const change = { range: { start: position, end: position }, text: character };
    await server.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [change] });
    position = character === '\n' ? { line: position.line + 1, character: 0 } : { line: position.line, character: position.character + character.length };
  }
  await server.open('file:///whole.kif', text, version);
  assert.deepEqual(await answers(server, uri, version), await answers(server, 'file:///whole.kif', version));
  assert.equal(await server.stop(), 0);
});

test('diagnostics of a closed text are taken back', async () => {
  const server = await Server.start();
  const uri = 'file:///closed.kif';
  await server.open(uri, '(role a');
  assert.ok((await server.diagnostics(uri, 1)).length > 0);
  const cleared = new Promise((resolve) => (server.onPublished = resolve));
  await server.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  assert.deepEqual((await cleared).diagnostics, []);
  assert.equal(await server.stop(), 0);
});

test('questions about texts that are not open are refused or have no answer', async () => {
  const server = await Server.start();
  for (const method of ['hover', 'definition', 'references', 'completion', 'rename', 'codeAction', 'formatting', 'documentSymbol']) {
    const params = {
      textDocument: { uri: 'file:///nowhere.kif' },
      position: { line: 7, character: 7 },
      range: { start: { line: 7, character: 7 }, end: { line: 7, character: 7 } },
      context: { diagnostics: [], includeDeclaration: true },
      options: { tabSize: 4, insertSpaces: true },
      newName: 'x',
    };
    await server.request(`textDocument/${method}`, params).catch((error) => assert.ok(error.message));
  }
  assert.equal(await server.stop(), 0);
});

test('positions outside of the text do no harm', async () => {
  const server = await Server.start();
  const uri = 'file:///small.kif';
  await server.open(uri, GAME);
  for (const position of [{ line: 9999, character: 0 }, { line: 0, character: 9999 }, { line: 4294967295, character: 4294967295 }]) {
    for (const method of ['hover', 'completion', 'definition', 'signatureHelp', 'prepareRename']) {
      await server.request(`textDocument/${method}`, { textDocument: { uri }, position }).catch((error) => assert.ok(error.message));
    }
  }
  const change = { range: { start: { line: 9999, character: 9 }, end: { line: 99999, character: 9 } }, text: '(role c)\n' };
  await server.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [change] });
  await server.open('file:///end.kif', GAME + '(role c)\n', 2);
  assert.deepEqual(await answers(server, uri, 2), await answers(server, 'file:///end.kif', 2));
  assert.equal(await server.stop(), 0);
});

test('a new name that is no word is refused', async () => {
  const server = await Server.start();
  const uri = 'file:///names.kif';
  const document = await server.open(uri, GAME);
  const position = document.positionAt(GAME.indexOf('(line ?p)') + 2);
  for (const newName of ['', 'two words', 'a(b', 'a;b', '?x', 'role', 'not', '<=']) {
    await assert.rejects(server.request('textDocument/rename', { textDocument: { uri }, position, newName }), newName);
  }
  const edit = await server.request('textDocument/rename', { textDocument: { uri }, position, newName: 'row' });
  const edits = edit.changes?.[uri] ?? edit.documentChanges[0].edits;
  const renamed = TextDocument.applyEdits(document, edits);
  assert.equal(renamed, GAME.replaceAll('(line ', '(row '));
  assert.equal(await server.stop(), 0);
});
