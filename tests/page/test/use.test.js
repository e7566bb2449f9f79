// The page is used by mouse and by keyboard alone: names, menus, cards, keys, trail, history.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onPage, open, settled, start, stop } from '../browser.js';
import { screens, subjects } from '../subjects.js';

before(start);
after(stop);

const hash = (page) => page.evaluate(() => location.hash);
const at = (page, screen) =>
  page.waitForFunction((name) => location.hash.startsWith(`#/${name}?`), screen).then(() => settled(page));

test('a click on a name opens a menu, and the name is highlighted everywhere', async () => {
  await onPage({ hash: (await screens()).symbol }, async (page) => {
    const name = page.locator('.code a.name').first();
    await name.click();
    const menu = page.getByRole('menu');
    assert.deepEqual(
      await menu.getByRole('menuitem').evaluateAll((items) => items.map((item) => item.firstChild.textContent)),
      ['Definition', 'References', 'Hover', 'Search', 'Path from here', 'Path to here', 'Compare'],
    );
    assert.ok(await page.evaluate(() => CSS.highlights.get('same')?.size > 0));
    await page.keyboard.press('Escape');
    assert.equal(await menu.count(), 0);
    assert.ok(await page.evaluate(() => CSS.highlights.get('same')?.size > 0), 'the highlight stays');
    await page.keyboard.press('Escape');
    assert.ok(await page.evaluate(() => !CSS.highlights.get('same')));
  });
});

test('a card appears over a name, and goes with Esc', async () => {
  await onPage({ hash: (await screens()).symbol }, async (page) => {
    await page.locator('.side.right .symbol').first().hover();
    const card = page.locator('.card-hover');
    await card.waitFor();
    assert.match(await card.innerText(), /callers?/);
    await page.keyboard.press('Escape');
    assert.equal(await card.count(), 0);
  });
});

test('keys alone search, move, open, show references and go back', async () => {
  const { symbol } = await subjects();
  await onPage({}, async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type(symbol.name);
    await page.keyboard.press('Enter');
    await at(page, 'search');
    for (let n = 0; n < 4; n += 1) {
      await page.keyboard.press('j');
      if (await page.evaluate(() => document.activeElement.matches('.symbol'))) break;
    }
    assert.ok(await page.evaluate(() => document.activeElement.matches('[data-item].symbol')));
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await at(page, 'references');
    await page.goBack();
    await at(page, 'search');
    for (let n = 0; n < 2; n += 1) await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !location.hash.startsWith('#/search'));
    await settled(page);
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.waitForFunction(() => location.hash === '#/map');
    await settled(page);
    assert.ok(await page.evaluate(() => document.activeElement.matches('h1')), 'the heading has the focus');
  });
});

test('lines and names of source are reached by keys', async () => {
  await onPage({ hash: (await screens()).symbol }, async (page) => {
    await page.locator('.middle .code').focus();
    for (let n = 0; n < 40; n += 1) {
      await page.keyboard.press('j');
      if (await page.locator('.line.current .name').count()) break;
    }
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement.matches('.line.current .name')));
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await at(page, 'references');
  });
});

test('? lists the keys, and they can be turned off', async () => {
  await onPage({}, async (page) => {
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    assert.match(await dialog.innerText(), /g d/);
    await dialog.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    assert.equal(await dialog.count(), 0);
    await page.keyboard.press('/');
    assert.notEqual(await page.evaluate(() => document.activeElement.id), 'query');
  });
});

test('the trail has what was visited, and the browser goes back to where one was', async () => {
  const all = await screens();
  const { symbol } = await subjects();
  await onPage({ hash: all.symbol, height: 500 }, async (page) => {
    await page.evaluate(() => scrollTo(0, 300));
    const before = await page.evaluate(() => scrollY);
    await page
      .locator('.actions')
      .getByRole('link', { name: 'References' })
      .evaluate((link) => link.click());
    await at(page, 'references');
    await page.goBack();
    await at(page, 'symbol');
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 60, before);
    const steps = await page.locator('#trail li').allInnerTexts();
    assert.ok(
      steps.some((step) => step.startsWith('Uses of')) && steps.at(-1).endsWith(symbol.name.slice(-10)),
      steps.join(' > '),
    );
    await page.locator('#trail').getByRole('button').click();
    assert.ok(await page.locator('#trail').isHidden());
  });
});

test('a place in the search box opens the file there, and going back leads to where one was', async () => {
  const { symbol, file } = await subjects();
  await onPage({}, async (page) => {
    await page.locator('#query').fill(`${file}:${symbol.start_line}`);
    await page.keyboard.press('Enter');
    await at(page, 'file');
    assert.ok(await page.locator(`.line.selected[data-line="${symbol.start_line}"]`).isVisible());
    await page.locator('#query').fill(':1');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash.includes('line=1'));
    await settled(page);
    assert.ok(await page.locator('.line.selected[data-line="1"]').isVisible());
    const pane = page.locator('.code.virtual');
    const scrolled = await pane.evaluate((node) => {
      node.scrollTop = 400;
      return node.scrollTop;
    });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await open(page, '#/health');
    await page.goBack();
    await at(page, 'file');
    await page.waitForFunction((y) => Math.abs(document.querySelector('.code.virtual').scrollTop - y) < 30, scrolled);
  });
});

test('the theme follows the system until one chooses', async () => {
  await onPage({ dark: true }, async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await ground();
    await page.getByRole('button', { name: 'Light theme' }).click();
    const light = await ground();
    assert.notEqual(dark, light);
    await page.reload();
    await settled(page);
    assert.equal(await ground(), light);
  });
});

test('an address of a screen opens it directly', async () => {
  for (const [name, address] of Object.entries(await screens())) {
    await onPage({ hash: address }, async (page) => {
      assert.equal(await hash(page), address, name);
      assert.equal(await page.locator('h1').count(), 1, name);
      assert.equal(await page.locator('main .failure').count(), 0, name);
    });
  }
});
