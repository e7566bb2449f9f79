// @ts-check
'use strict';
// Finds the file of a result in the folders of the workspace. A path of an index never leads out of a checkout.

const path = require('node:path');

/**
 * Returns the absolute path of a result's file; undefined if no folder has it.
 *
 * A checkout is a folder with the repository's name: a folder of the workspace, one above it, or one directly in it. If
 * the index has one repository, any folder of the workspace may be its checkout.
 * @param {{repo: string, path: string}} result
 * @param {string[]} folders
 * @param {boolean} isOnlyRepository
 * @param {(file: string) => boolean} isFile
 * @returns {string | undefined}
 */
function locate(result, folders, isOnlyRepository, isFile) {
    const { repo } = result;
    const isName = isInside(repo) && !/[/\\]/.test(repo);
    const above = folders.flatMap(withFoldersAbove);
    const checkouts = [
        ...(isName ? above.filter((folder) => path.basename(folder) === repo) : []),
        ...(isName ? folders.map((folder) => path.join(folder, repo)) : []),
        ...(isOnlyRepository ? folders : []),
    ];
    if (!isInside(result.path)) {
        return undefined;
    }
    return checkouts.map((checkout) => path.join(checkout, result.path)).find(isFile);
}

/**
 * Returns whether a relative path stays in its folder.
 * @param {string} relative
 */
function isInside(relative) {
    const parts = relative.split(/[/\\]/);
    // On Windows a colon names a drive or a stream.
    const hasDrive = process.platform === 'win32' && relative.includes(':');
    return !parts.includes('..') && !/^([/\\]|$)|\0/.test(relative) && !hasDrive;
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function withFoldersAbove(folder) {
    const above = path.dirname(folder);
    return above === folder ? [folder] : [folder, ...withFoldersAbove(above)];
}

module.exports = { locate };
