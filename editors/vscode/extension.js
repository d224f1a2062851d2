'use strict';
// The language server of Kolibri in VS Code, and the commands that run the program in a terminal.

const path = require('node:path');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** The running client, if there is one. */
let client;

async function activate(context) {
  const register = (name, run) => context.subscriptions.push(vscode.commands.registerCommand(name, run));
  for (const command of ['play', 'playtest', 'check']) {
    register(`kolibri.${command}`, (uri) => runInTerminal(command, uri));
  }
  register('kolibri.restart', restart);
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('kolibri.path')) restart();
    }),
  );
  await start();
}

async function deactivate() {
  const stopping = client;
  client = undefined;
  // A server that never started cannot be stopped.
  if (stopping?.needsStop()) await stopping.stop();
}

async function restart() {
  await deactivate();
  await start();
}

function program() {
  return vscode.workspace.getConfiguration('kolibri').get('path');
}

async function start() {
  const server = { command: program(), args: ['lsp'] };
  const documents = [
    { language: 'gdl', scheme: 'file' },
    { language: 'gdl', scheme: 'untitled' },
  ];
  client = new LanguageClient('kolibri', 'Kolibri', server, { documentSelector: documents });
  try {
    await client.start();
  } catch (error) {
    await reportFailure(error);
  }
}

async function reportFailure(error) {
  const message = `Kolibri: "${program()} lsp" does not start (${error.message ?? error}). Set the path of the program.`;
  const answer = await vscode.window.showErrorMessage(message, 'Open Settings');
  if (answer) await vscode.commands.executeCommand('workbench.action.openSettings', 'kolibri.path');
}

/**
 * Runs a command of the program on a rule file: that of a URI, as code lenses pass it, or the one in the editor.
 * A task needs no quoting for any shell, and its terminal stays open when the program has ended.
 */
async function runInTerminal(command, uri) {
  const file = await savedFile(uri);
  if (!file) return;
  const folder = { cwd: path.dirname(file) };
  const execution = new vscode.ProcessExecution(program(), [command, file], folder);
  const name = `${command} ${path.basename(file)}`;
  const task = new vscode.Task({ type: 'kolibri' }, vscode.TaskScope.Workspace, name, 'Kolibri', execution, []);
  task.presentationOptions = { focus: true, panel: vscode.TaskPanelKind.Dedicated, clear: true };
  await vscode.tasks.executeTask(task);
}

/** The path of a rule file that the program can read; what was typed is saved first. */
async function savedFile(uri) {
  const chosen = uri ? parsed(uri) : vscode.window.activeTextEditor?.document.uri;
  if (chosen?.scheme !== 'file') {
    vscode.window.showErrorMessage('Kolibri: open a rule file and save it first.');
    return undefined;
  }
  const document = await vscode.workspace.openTextDocument(chosen);
  const isSaved = !document.isDirty || (await document.save());
  return isSaved ? chosen.fsPath : undefined;
}

/** A URI as the server writes it (text) or as VS Code hands it over. */
function parsed(uri) {
  return typeof uri === 'string' ? vscode.Uri.parse(uri) : uri;
}

module.exports = { activate, deactivate };
