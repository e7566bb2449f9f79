// @ts-check
'use strict';
// Makes text of an index fit to be shown: nothing in it may hide, reorder or flood what is around it.

/** Control characters, and marks that reorder or hide text (Trojan Source). Line breaks and tabs are kept. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Returns text of several lines.
 * @param {string} text
 * @param {number} [maxLength] In UTF-16 units.
 * @returns {string}
 */
function plainText(text, maxLength = 4000) {
    const plain = text.replace(/\r\n/g, '\n').replace(UNSAFE, '\ufffd');
    return plain.length > maxLength ? `${plain.slice(0, maxLength)} ...` : plain;
}

/**
 * Returns text of one line.
 * @param {string} text
 * @param {number} [maxLength] In UTF-16 units.
 * @returns {string}
 */
function plainLine(text, maxLength = 300) {
    return plainText(text.replace(/\s+/g, ' '), maxLength);
}

module.exports = { plainLine, plainText };
