// Turns a list of tricks into 500 snippets of source: markup, scripts, bidirectional controls, long lines. As a program
// it writes them as files of a folder, for an index.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const RUN = 'window.pwned=1';
const MARKUP = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `</code></pre></div></main><h1 onclick="${RUN}">torn</h1>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<style>*{display:none}</style>`,
  `<base href="https://example.com/">`,
  `<meta http-equiv="refresh" content="0;url=https://example.com/">`,
  `<link rel="stylesheet" href="https://example.com/x.css">`,
  `<form action="https://example.com/"><input name=q autofocus onfocus="${RUN}">`,
  `<details open ontoggle="${RUN}">`,
  `<template><script>${RUN}</script></template>`,
  `"><img src=https://example.com/x.png onerror=${RUN}>`,
  `'-${RUN}-'`,
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `<!--><script>${RUN}</script-->`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}">`,
  `<object data="data:text/html,<script>${RUN}</script>"></object>`,
  `]]><script>${RUN}</script>`,
];
const UNICODE = [
  '\u202e;nimda = resu\u202c',
  '\u2066if (admin)\u2069 \u2067{\u2069',
  '\u200eleft\u200fright',
  'ze\u200bro\u200bwidth',
  'soft\u00adhyphen',
  '\ufeffbom',
  'null\0byte',
  'bell\x07 escape\x1b[31mred\x1b[0m',
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034dA\u036b\u0357\u0334\u0362\u0335\u031c\u0330\u0354L\u0368\u0367\u0369\u0358\u0320G\u0311\u0357\u030e\u0305\u035b\u0341\u0334\u033b\u0348\u034d\u0354\u0339O'.repeat(
    6,
  ),
  '\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67 emoji',
  '\u05d0\u05d1\u05d2 = \u0627\u0628\u062c',
  '\u3164 filler \uffa0',
  'tag\u{e0041}\u{e0042}',
  '\u2028line\u2029separators',
  '\ud800lone surrogate',
  '\u180e\u2060\u061c',
  'a\u200dd\u200cmin',
];
const LONG = [
  'x'.repeat(100_000),
  `${'<b>'.repeat(20_000)}`,
  '\u202e'.repeat(5_000),
  '\u00e9'.repeat(50_000),
  `${'word '.repeat(20_000)}`,
  '\t'.repeat(3_000),
  '('.repeat(30_000),
  `"${'a'.repeat(10_000)}"\n`.repeat(3),
];

/** The snippets: every trick in every setting, until there are 500. */
export function snippets() {
  const settings = [
    (text) => text,
    (text) => `// ${text}`,
    (text) => `let s = "${text}";`,
    (text) => `fn f() { /* ${text} */ }`,
    (text) => `# ${text}\n\n- ${text}`,
    (text) => `const ${text.replace(/\W/g, '_').slice(0, 60)} = 1; // ${text}`,
    (text) => `<!-- ${text} -->`,
    (text) => `def f():\n    """${text}"""\n    return 1`,
    (text) => `class A { m() { return \`${text}\`; } }`,
    (text) => `${text}\n${text}\n${text}`,
  ];
  const all = [...MARKUP, ...UNICODE, ...LONG];
  const found = [];
  for (const setting of settings) for (const text of all) found.push(setting(text));
  for (let n = 0; found.length < 500; n += 1)
    found.push(`${all[n % all.length]}${all[(n * 7 + 3) % (MARKUP.length + UNICODE.length)]}`);
  return found.slice(0, 500);
}

/** Returns the path and the text of a file for each snippet. */
export function files() {
  const extensions = ['rs', 'js', 'py', 'html', 'md', 'c', 'txt', 'svg'];
  // A file that is one long line may be skipped as minified: code around it keeps some of them.
  return snippets().map((text, n) => ({
    path: `part-${n % 10}/snippet_${n}.${extensions[n % extensions.length]}`,
    text: `fn before_${n}() { return ${n}; }\n${text}\nfn after_${n}() { before_${n}(); }\n`,
  }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = process.argv[2];
  if (!folder) throw new Error('name a folder');
  for (const { path: name, text } of files()) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}
