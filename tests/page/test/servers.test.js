// Servers have several indexes, want tokens, and fail.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hit, hostileAnswers } from '../answers.js';
import { onPage, open, settled, start, stop } from '../browser.js';

before(start);
after(stop);

test('several indexes: each answer is named, and one can be chosen', async () => {
  const answers = hostileAnswers(['text']);
  for (const [name, answer] of Object.entries(answers)) {
    if (name !== 'search')
      answers[name] = (parameters) => ({
        indexes: ['first', 'second'].map((index) => ({ index, answer: answer(parameters) })),
      });
  }
  answers['/health'] = () => ({
    status: 'ok',
    version: '1',
    indexes: [
      { name: 'first', generation: 'g' },
      { name: 'second', generation: 'g' },
    ],
  });
  answers.search = () => ({
    query: 'x',
    took_ms: 1,
    class: 'natural',
    fit: 1,
    fits: true,
    strategy: 'rrf',
    available: [],
    degraded: [],
    corrections: [],
    results: [
      { ...hit('a', 0), index: 'first' },
      { ...hit('b', 1), index: 'second' },
    ],
  });
  await onPage({ hash: '#/search?q=x', answers }, async (page) => {
    assert.equal(await page.locator('.page.search > .card').count(), 2);
    await page.getByLabel('Add a filter: Index').selectOption('second');
    await page.waitForFunction(() => location.hash.includes('index=second'));
    await settled(page);
    assert.equal(await page.locator('.page.search > .card').count(), 1);
    await page.locator('.hit .symbol').click();
    await page.waitForFunction(() => location.hash.startsWith('#/symbol'));
    assert.match(page.url(), /index=second/);
    await settled(page);
    assert.match(await page.locator('main').innerText(), /index second/);
    await open(page, '#/health');
    assert.equal(await page.locator('main > .page > section').count(), 2);
  });
});

test('a collection is a table of its members, and one of them can be looked at', async () => {
  const answers = hostileAnswers(['text']);
  const names = Array.from({ length: 30 }, (_, n) => `team/member-${n}`);
  for (const [name, answer] of Object.entries(answers))
    answers[name] = (parameters) => ({ indexes: names.map((index) => ({ index, answer: answer(parameters) })) });
  answers['/health'] = () => ({ status: 'ok', version: '1', indexes: names.map((name) => ({ name, generation: 'g' })) });
  await onPage({ hash: '#/health', answers }, async (page) => {
    assert.equal(await page.locator('tbody tr').count(), names.length);
    await page.getByRole('combobox', { name: 'Index' }).selectOption(names[7]);
    await page.waitForFunction(() => location.hash.includes('member-7'));
    await settled(page);
    assert.equal(await page.locator('main > .page > section').count(), 1);
    await open(page, `#/map?index=${encodeURIComponent(names[3])}`);
    assert.equal(await page.getByRole('combobox', { name: 'Index' }).inputValue(), names[3]);
  });
});

test('a server with a token asks for it, and keeps it in the tab', async () => {
  const answers = hostileAnswers(['text']);
  const guard = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      (parameters, request) =>
        request.headers().authorization === 'Bearer secret'
          ? answer(parameters)
          : { status: 401, body: { error: 'the bearer token is missing or wrong', hint: null } },
    ]),
  );
  await onPage({ hash: '#/symbol?name=x', answers: guard, allowedErrors: ['401'] }, async (page) => {
    await page.getByLabel('Token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The token was wrong').waitFor();
    await page.getByLabel('Token').fill('secret');
    await page.keyboard.press('Enter');
    await page.locator('.neighbours').waitFor();
    await page.reload();
    await page.locator('.neighbours').waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('token')), null);
  });
});

test('a link can bring the token, which leaves the address', async () => {
  const answers = Object.fromEntries(
    Object.entries(hostileAnswers(['text'])).map(([name, answer]) => [
      name,
      (parameters, request) => {
        assert.equal(request.headers().authorization, 'Bearer secret');
        return answer(parameters);
      },
    ]),
  );
  await onPage({ hash: '#/symbol?name=x&token=secret', answers }, async (page) => {
    assert.equal(await page.evaluate(() => location.hash), '#/symbol?name=x');
    assert.ok(await page.locator('.neighbours').isVisible());
  });
});

test('a server that went away is told', async () => {
  const answers = {
    search: () => ({ status: 500, body: { error: 'the request stopped unexpectedly', hint: 'run sextant verify' } }),
  };
  await onPage({ hash: '#/search?q=x', answers, allowedErrors: ['500'] }, async (page) => {
    assert.match(await page.getByRole('alert').innerText(), /stopped unexpectedly[\s\S]*Hint: run sextant verify/);
  });
});
