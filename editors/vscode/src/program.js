// @ts-check
'use strict';
// Turns the setting `sextant.path` into the absolute path of a program.
//
// The program runs in a folder of the workspace. Windows would first look there for a program without a path, so a
// checkout could bring its own: only the absolute folders of PATH are searched, and relative paths are refused.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/**
 * @typedef {object} Machine What the search for a program depends on.
 * @property {NodeJS.Platform} platform
 * @property {string} home
 * @property {string} searchPath The value of PATH.
 * @property {(file: string) => boolean} isProgram
 */

/**
 * Returns this machine.
 * @returns {Machine}
 */
function thisMachine() {
    return { platform: process.platform, home: os.homedir(), searchPath: process.env.PATH ?? '', isProgram };
}

/**
 * Returns the absolute path of the program.
 * @param {string} setting
 * @param {Machine} machine
 * @returns {string}
 * @throws {Error} There is no such program; the message has the form of the program's own errors.
 */
function findProgram(setting, machine) {
    const paths = machine.platform === 'win32' ? path.win32 : path.posix;
    const program = expandHome(setting.trim(), machine.home, paths);
    if (program === '') {
        throw new Error("error: the setting 'sextant.path' is empty");
    }
    if (paths.isAbsolute(program)) {
        return program;
    }
    if (/[/\\:]/.test(program)) {
        throw new Error(
            `error: the setting 'sextant.path' is the relative path '${program}'\n` +
                'hint: write an absolute path, or a name that is in PATH',
        );
    }
    const names = machine.platform === 'win32' && !/\.exe$/i.test(program) ? [`${program}.exe`] : [program];
    for (const folder of machine.searchPath.split(paths.delimiter)) {
        if (!paths.isAbsolute(folder)) {
            continue;
        }
        const found = names.map((name) => paths.join(folder, name)).find(machine.isProgram);
        if (found !== undefined) {
            return found;
        }
    }
    throw new Error(
        `error: there is no program '${program}' in PATH\n` +
            "hint: write the absolute path of the program into the setting 'sextant.path'",
    );
}

/**
 * Replaces a leading `~/` with the home folder.
 * @param {string} text
 * @param {string} home
 * @param {path.PlatformPath} [paths]
 * @returns {string}
 */
function expandHome(text, home, paths = path) {
    return /^~[/\\]/.test(text) ? paths.join(home, text.slice(2)) : text;
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function isProgram(file) {
    try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
    } catch {
        return false;
    }
}

module.exports = { expandHome, findProgram, thisMachine };
