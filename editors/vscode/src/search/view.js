// @ts-check
'use strict';
// The view of results: it asks for a query, shows the nodes of the answer, and cancels a search.

const vscode = require('vscode');
const { readSettings } = require('../settings');
const { treeItem } = require('./items');
const { openResult } = require('./open');
const { search } = require('./search');
const { errorNodes } = require('./tree');

const VIEW = 'sextant.results';

/** @typedef {import('./tree').Node} Node */

/** @implements {vscode.TreeDataProvider<Node>} */
class SearchView {
    /** @param {vscode.LogOutputChannel} output */
    constructor(output) {
        this.output = output;
        this.query = '';
        /** @type {Node[]} */
        this.nodes = [];
        this.isOnlyRepository = false;
        /** @type {AbortController | undefined} */
        this.running = undefined;
        /** @type {vscode.EventEmitter<void>} */
        this.changed = new vscode.EventEmitter();
        this.onDidChangeTreeData = this.changed.event;
        this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true });
    }

    /** @param {Node} node */
    getTreeItem(node) {
        return treeItem(node);
    }

    /** @param {Node} [node] */
    getChildren(node) {
        return node === undefined ? this.nodes : node.children;
    }

    /** Asks for a query and searches. */
    async ask() {
        const query = await vscode.window.showInputBox({
            title: 'Sextant: Search',
            prompt: 'A question, a name or a path',
            value: this.query,
        });
        if (query !== undefined && query.trim() !== '') {
            await this.search(query.trim());
        }
    }

    /** Repeats the last search. */
    async refresh() {
        if (this.query !== '') {
            await this.search(this.query);
        }
    }

    /** @param {string} query */
    async search(query) {
        this.cancel();
        const running = new AbortController();
        this.running = running;
        this.query = query;
        this.showState();
        await vscode.commands.executeCommand(`${VIEW}.focus`);
        await vscode.window.withProgress({ location: { viewId: VIEW } }, async () => {
            try {
                const found = await this.find(query, running.signal);
                // A later search may have replaced this one.
                if (this.running === running) {
                    this.isOnlyRepository = found.isOnlyRepository;
                    this.show(found.nodes);
                }
            } catch {
                this.output.info('the search was cancelled');
            } finally {
                if (this.running === running) {
                    this.running = undefined;
                    this.showState();
                }
            }
        });
    }

    /**
     * @param {string} query
     * @param {AbortSignal} signal
     */
    async find(query, signal) {
        const settings = readSettings();
        if (settings === undefined) {
            const nodes = errorNodes('error: no folder is open\nhint: open the folder of a checkout');
            return { nodes, isOnlyRepository: false };
        }
        return search(settings, query, signal, this.output);
    }

    /** Kills the program of a running search; the results before it stay. */
    cancel() {
        this.running?.abort();
        this.running = undefined;
        this.showState();
    }

    clear() {
        this.cancel();
        this.query = '';
        this.show([]);
        this.showState();
    }

    /** @param {import('./tree').Location} location */
    async open(location) {
        await openResult(location, this.isOnlyRepository, this.output);
    }

    /** @param {Node[]} nodes */
    show(nodes) {
        this.nodes = nodes;
        this.changed.fire();
    }

    showState() {
        void vscode.commands.executeCommand('setContext', 'sextant.hasQuery', this.query !== '');
        void vscode.commands.executeCommand('setContext', 'sextant.isSearching', this.running !== undefined);
    }

    dispose() {
        this.cancel();
        this.view.dispose();
        this.changed.dispose();
    }
}

module.exports = { SearchView };
