// Every screen shows what the API says, at an address that can be shared.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { ask, askText, onPage, open, settled, start, stop } from '../browser.js';
import { screens, subjects } from '../subjects.js';

/** A text for a selector in double quotes. */
const CSS_ESCAPE = (text) => text.replaceAll(/["\\]/g, (one) => `\\${one}`);

before(start);
after(stop);

test('search shows results by file, and reasons as bars', async () => {
  const { symbol } = await subjects();
  await onPage({ hash: (await screens()).search }, async (page) => {
    const answer = await ask('search', { query: symbol.name, limit: 20, explain: true });
    assert.equal(await page.locator('.hit').count(), answer.results.length);
    const files = new Set(answer.results.map((hit) => `${hit.repo}/${hit.path}`));
    assert.equal(await page.locator('.page.search > .card').count(), files.size);
    await page.locator('.reasons > summary').first().click();
    assert.ok(await page.locator('.reasons[open] .bar').first().isVisible());
    assert.match(await page.locator('.reasons').first().innerText(), /Why: /);
    assert.match(await page.locator('#status').innerText(), /results? in/);
    await page.locator('.hit .code [class*="h-"]').first().waitFor();
  });
});

test('filters are part of the address', async () => {
  const { symbol } = await subjects();
  await onPage({ hash: (await screens()).search }, async (page) => {
    await page.getByLabel('Add a filter: Kind').selectOption(symbol.kind);
    await page.waitForFunction(() => location.hash.includes('kind='));
    await settled(page);
    const kinds = new Set(await page.locator('.hit > .row > .kind').allInnerTexts());
    assert.deepEqual([...kinds], [symbol.kind]);
    await page.getByLabel(`Remove the filter Kind ${symbol.kind}`).click();
    await page.waitForFunction(() => !location.hash.includes('kind='));
  });
});

test('a query that fits nothing says so', async () => {
  await onPage({ hash: `#/search?q=${encodeURIComponent('qzxv wkjq zzqpx vvxqj')}` }, async (page) => {
    assert.match(await page.locator('h1').innerText(), /Nothing fits/);
    assert.match(await page.locator('.note').first().innerText(), /probability/);
  });
});

test('a symbol has callers left, marks in its source, and callees right', async () => {
  const { symbol, caller, callee } = await subjects();
  await onPage({ hash: (await screens()).symbol, width: 1500 }, async (page) => {
    assert.match(await page.locator('h1').innerText(), new RegExp(symbol.name.replace(/\W/g, '.')));
    const [left, middle, right] = await Promise.all(
      ['.side.left', '.middle', '.side.right'].map((part) => page.locator(`.neighbours ${part}`).boundingBox()),
    );
    assert.ok(left.x < middle.x && middle.x < right.x);
    assert.ok((await page.locator('.side.left .symbol').allTextContents()).includes(caller.qualified_name));
    assert.ok((await page.locator('.side.right .symbol').allTextContents()).includes(callee.qualified_name));
    assert.ok((await page.locator(`.line.marked[data-line="${callee.edge_lines[0]}"]`).count()) === 1);
    assert.ok((await page.locator('.wires path').count()) > 0);
    assert.match(await page.locator('.neighbour .edge').first().innerText(), /(sure|likely|candidate) [01]\.\d\d, \w+/);
    assert.match(await page.locator('main').innerText(), /Blast radius/);
  });
});

test('references are listed by file with their lines', async () => {
  const { symbol } = await subjects();
  await onPage({ hash: (await screens()).references }, async (page) => {
    const answer = await ask('references', { names: [symbol.key], min_confidence: 0, limit: 500 });
    assert.equal(await page.locator('.uses > li').count(), answer.results[0].uses.length);
  });
});

test('a file shows its lines, its outline, and those that the address selects', async () => {
  const { symbol } = await subjects();
  await onPage({ hash: (await screens()).file }, async (page) => {
    assert.equal(await page.locator('.line.selected').count(), 3);
    const text = await page.locator(`.line[data-line="${symbol.start_line}"] .text`).textContent();
    const shown = await ask('show', { names: [`${symbol.repo}/${symbol.path}:${symbol.start_line}`] });
    assert.equal(text.trim(), shown.results[0].text.trim());
    assert.ok((await page.locator('.outline').innerText()).includes(symbol.name));
    await page.locator(`.line[data-line="${symbol.start_line + 1}"] .number`).click();
    await page.waitForFunction(
      (line) => new URLSearchParams(location.hash.split('?')[1]).get('line') === String(line),
      symbol.start_line + 1,
    );
  });
});

test('a file has its commits and what changes with it beside it, if the index has a git history', async () => {
  const { symbol } = await subjects();
  const file = `${symbol.repo}/${symbol.path}`;
  await onPage({ hash: `#/file?file=${encodeURIComponent(file)}` }, async (page) => {
    const { history } = (await ask('context', { file, without_symbols: true, commits: 20 })).file;
    const side = page.locator('.side.right');
    await side.getByText('References:').waitFor();
    const text = await side.innerText();
    assert.equal(text.includes('Commits'), history !== undefined);
    for (const commit of history?.commits ?? []) assert.ok(text.includes(commit.subject), commit.subject);
    for (const other of history?.changes_with ?? []) assert.ok(text.includes(other.path), other.path);
  });
});

test('a path is one card a symbol, with the calling line between', async () => {
  await onPage({ hash: (await screens()).path }, async (page) => {
    const { path } = await subjects();
    const answer = await ask('path', path);
    assert.equal(await page.locator('.hops > .card').count(), answer.steps.length);
    assert.equal(await page.locator('.hop').count(), answer.steps.length - 1);
    assert.ok((await page.locator('.hop .call code').first().innerText()).length > 0);
  });
});

test('a map is the same every time, leads into folders, and can be saved', async () => {
  const picture = (page) => page.locator('svg.drawing').evaluate((node) => node.outerHTML);
  const seen = [];
  for (let n = 0; n < 2; n += 1) {
    await onPage({ hash: '#/map' }, async (page) => {
      seen.push(await picture(page));
      if (n === 0) return;
      const { module } = await subjects();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download SVG' }).click(),
      ]);
      const saved = await readFile(await download.path(), 'utf8');
      assert.match(saved, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
      // The answer has a drawing for each index.
      const drawn = await askText('map', { max_tokens: 2000, draw: 'svg' });
      assert.ok(drawn.includes(saved), 'the command line draws the same');
      await open(page, `#/map?module=${encodeURIComponent(`${module.repo}/${module.path}`)}`);
      await page.getByRole('link', { name: 'Look inside' }).click();
      await page.waitForFunction(() => location.hash.includes('path='));
      await settled(page);
      assert.match(await page.locator('h1').innerText(), /Map of/);
    });
  }
  assert.equal(seen[0], seen[1]);
});

test('calls and paths are drawn as the command line draws them', async () => {
  const { symbol, caller, path } = await subjects();
  const all = await screens();
  await onPage({ hash: all.drawing }, async (page) => {
    const asked = { names: [symbol.key], depth: 2, limit: 50, draw: 'svg' };
    const answer = await ask('callers', asked);
    assert.equal(await page.locator('.drawing a.module').count(), answer.drawing.elements.filter((one) => one.name === 'g').length);
    assert.ok(await page.locator(`.drawing a[data-key="${CSS_ESCAPE(caller.key)}"]`).count());
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download SVG' }).click(),
    ]);
    const shown = await askText('callers', asked);
    assert.ok(shown.includes(await readFile(await download.path(), 'utf8')), 'the command line draws the same');
    await page.getByRole('link', { name: '1 step', exact: true }).click();
    await page.waitForFunction(() => location.hash.includes('depth=1'));
    await settled(page);
    await page.locator(`.drawing a[data-key="${CSS_ESCAPE(caller.key)}"]`).click();
    await page.waitForFunction(() => location.hash.startsWith('#/symbol'));
  });
  await onPage({ hash: all.drawnPath }, async (page) => {
    const answer = await ask('path', path);
    assert.equal(await page.locator('.drawing a.module').count(), answer.steps.length);
  });
});

test('source is coloured by the grammar of its language', async () => {
  const { symbol } = await subjects();
  await onPage({ hash: (await screens()).file }, async (page) => {
    const range = `${symbol.repo}/${symbol.path}:${symbol.start_line}-${symbol.start_line + 2}`;
    const [{ spans }] = (await ask('show', { names: [range], spans: true })).results;
    const known = spans.filter(([, , , name]) => name !== 'escape');
    assert.ok(known.length > 0);
    const shown = await page.locator(`.line[data-line="${known[0][0]}"] [class*="h-"]`).count();
    assert.ok(shown > 0, JSON.stringify(known));
  });
});

test('a comparison has two columns', async () => {
  const { caller, callee } = await subjects();
  await onPage({ hash: (await screens()).compare }, async (page) => {
    const names = await page.locator('.pair h2 .symbol').allTextContents();
    assert.deepEqual(names, [caller.qualified_name, callee.qualified_name]);
    assert.match(await page.locator('main').innerText(), /in common/);
  });
});

test('health shows generation, commit, languages, resolutions and sizes', async () => {
  await onPage({ hash: '#/health' }, async (page) => {
    const stats = await ask('stats', {});
    const text = await page.locator('main').textContent();
    assert.match(text, /Freshness/);
    for (const part of [
      stats.generation,
      ...Object.keys(stats.languages),
      ...Object.keys(stats.resolutions),
      ...stats.parts.map((one) => one.name),
    ])
      assert.ok(text.includes(part), part);
  });
});

test('an unknown name is answered with a way on', async () => {
  await onPage({ hash: (await screens()).unknown }, async (page) => {
    assert.match(await page.locator('main').innerText(), /No definition in the index has the name/);
    assert.ok(await page.getByRole('link', { name: 'Search for it' }).isVisible());
  });
});
