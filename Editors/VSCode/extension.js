// Starts the language server of Syncline for schema files.
const { workspace, window } = require('vscode');

let client;

exports.activate = async () => {
  let library;
  try {
    library = require('vscode-languageclient/node');
  } catch {
    window.showInformationMessage('Syncline: run “npm install” in the folder of the extension for its language server.');
    return;
  }
  const command = workspace.getConfiguration('syncline').get('path');
  client = new library.LanguageClient(
    'syncline', 'Syncline', { command, args: ['lsp'] }, { documentSelector: [{ language: 'syncline' }] });
  await client.start();
};

exports.deactivate = () => client?.stop();
