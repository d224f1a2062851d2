// The extension with stand-ins for VS Code and for its language client.

'use strict';
const assert = require('node:assert/strict');
const Module = require('node:module');
const test = require('node:test');
const manifest = require('../package.json');

/** Activates the extension in an editor with one open document; returns what it did. */
async function activated({ document, startFails = false } = {}) {
  const seen = { commands: new Map(), tasks: [], errors: [], started: [], stopped: 0, executed: [] };
  const uri = (text) => ({ text, scheme: text.split(':')[0], fsPath: text.replace(/^file:\/\//, '') });
  const vscode = {
    commands: {
      registerCommand: (name, run) => seen.commands.set(name, run),
      executeCommand: (...words) => seen.executed.push(words),
    },
    workspace: {
      getConfiguration: () => ({ get: () => '/opt/my programs/kolibri' }),
      onDidChangeConfiguration: (run) => (seen.configure = () => run({ affectsConfiguration: () => true })),
      openTextDocument: async () => document,
    },
    window: {
      activeTextEditor: document && { document },
      showErrorMessage: async (message, answer) => seen.errors.push(message) && answer,
    },
    tasks: { executeTask: async (task) => seen.tasks.push(task.execution) },
    Uri: { parse: uri },
    TaskScope: {},
    TaskPanelKind: {},
    ProcessExecution: class {
      constructor(program, args, options) {
        Object.assign(this, { program, args, options });
      }
    },
    Task: class {
      constructor(definition, scope, name, source, execution) {
        this.execution = execution;
      }
    },
  };
  class LanguageClient {
    constructor(id, name, server) {
      this.server = server;
    }
    async start() {
      if (startFails) throw new Error('spawn ENOENT');
      seen.started.push([this.server.command, ...this.server.args]);
    }
    needsStop() {
      return !startFails;
    }
    async stop() {
      seen.stopped += 1;
    }
  }
  const load = Module._load;
  Module._load = (name, ...rest) =>
    ({ vscode, 'vscode-languageclient/node': { LanguageClient } })[name] ?? load(name, ...rest);
  delete require.cache[require.resolve('../extension.js')];
  const extension = require('../extension.js');
  Module._load = load;
  if (document) document.uri = uri(document.address);
  await extension.activate({ subscriptions: [] });
  return { seen, extension };
}

const saved = () => ({ address: 'file:///rules/my game.kif', isDirty: false });

test('every command of the manifest is registered', async () => {
  const { seen } = await activated();
  assert.deepEqual([...seen.commands.keys()], manifest.contributes.commands.map((entry) => entry.command));
});

test('the server is that of the setting, and starts anew when the setting changes', async () => {
  const { seen, extension } = await activated();
  assert.deepEqual(seen.started, [['/opt/my programs/kolibri', 'lsp']]);
  await seen.configure();
  await new Promise(setImmediate);
  assert.deepEqual([seen.started.length, seen.stopped], [2, 1]);
  await extension.deactivate();
  assert.equal(seen.stopped, 2);
});

test('a program that is not there is reported, with the setting', async () => {
  const { seen, extension } = await activated({ startFails: true });
  assert.match(seen.errors[0], /my programs\/kolibri lsp" does not start \(spawn ENOENT\)/);
  assert.deepEqual(seen.executed, [['workbench.action.openSettings', 'kolibri.path']]);
  await extension.deactivate();
});

test('a code lens passes the address of its file', async () => {
  const { seen } = await activated({ document: saved() });
  await seen.commands.get('kolibri.playtest')('file:///rules/my game.kif');
  const [task] = seen.tasks;
  assert.equal(task.program, '/opt/my programs/kolibri');
  assert.deepEqual(task.args, ['playtest', '/rules/my game.kif']);
  assert.deepEqual(task.options, { cwd: '/rules' });
});

test('a command without an address takes the file in the editor, saved', async () => {
  const document = { ...saved(), isDirty: true, save: async () => (document.wasSaved = true) };
  const { seen } = await activated({ document });
  await seen.commands.get('kolibri.play')();
  assert.deepEqual([seen.tasks[0].args[0], document.wasSaved], ['play', true]);
});

test('what cannot be saved is not run', async () => {
  const { seen } = await activated({ document: { ...saved(), isDirty: true, save: async () => false } });
  await seen.commands.get('kolibri.check')();
  assert.deepEqual(seen.tasks, []);
});

test('a text without a file is refused', async () => {
  const { seen } = await activated({ document: { address: 'untitled:Untitled-1', isDirty: true } });
  await seen.commands.get('kolibri.check')();
  assert.deepEqual([seen.tasks.length, seen.errors.length], [0, 1]);
});
