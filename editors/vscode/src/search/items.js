// @ts-check
'use strict';
// Turns nodes into items of VS Code. Labels, descriptions and tooltips are strings, never Markdown.

const vscode = require('vscode');

/** @typedef {import('./tree').Node} Node */

/** The icons of kinds. A kind without one is a part of code or text. */
const ICONS = new Map([
    ...['class', 'constant', 'constructor', 'enum', 'field', 'file', 'function', 'interface', 'key', 'method', 'module',
        'namespace', 'property', 'struct', 'variable'].map((kind) => /** @type {const} */ ([kind, `symbol-${kind}`])),
    ['enum_member', 'symbol-enum-member'],
    ['macro', 'symbol-function'],
    ['section', 'symbol-string'],
    ['test', 'beaker'],
    ['trait', 'symbol-interface'],
    ['type', 'symbol-class'],
    ['union', 'symbol-struct'],
]);

/**
 * @param {Node} node
 * @returns {vscode.TreeItem}
 */
function treeItem(node) {
    const { Expanded, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(node.label, node.type === 'file' ? Expanded : None);
    item.description = node.description;
    item.tooltip = node.tooltip;
    item.iconPath = icon(node);
    if (node.type === 'file') {
        // The file need not exist: its name alone selects the icon.
        item.resourceUri = vscode.Uri.from({ scheme: 'sextant', path: `/${node.label}` });
    }
    if (node.location !== undefined) {
        item.command = { command: 'sextant.openResult', title: 'Open Result', arguments: [node.location] };
    }
    return item;
}

/**
 * @param {Node} node
 * @returns {vscode.ThemeIcon}
 */
function icon({ type, kind }) {
    switch (type) {
        case 'file':
            return vscode.ThemeIcon.File;
        case 'error':
            return new vscode.ThemeIcon('error');
        case 'note':
            return new vscode.ThemeIcon('info');
        default:
            return new vscode.ThemeIcon(ICONS.get(kind) ?? 'list-selection');
    }
}

module.exports = { treeItem };
