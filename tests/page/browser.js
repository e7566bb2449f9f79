// Turns the address of a server into pages of a browser that fail a test on console errors, violations of the content
// security policy, dialogs, and requests to anywhere else.

import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const BASE = process.env.SEXTANT_URL;
if (!BASE) throw new Error('SEXTANT_URL: the address of the page is missing');

/** How long a screen may take; an index of millions of lines needs more. */
const SETTLE_MS = Number(process.env.SEXTANT_SETTLE_MS ?? 15_000);

let browser = null;

/** Starts the browser. */
export async function start() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

export const stop = () => browser?.close();

/**
 * Runs `body(page)` on a new page, then checks that nothing went wrong. `answers` replaces answers of the API: a function
 * from parameters to a value, or to `{status, body}`, by the name of the command; `/health` is a name, too.
 */
export async function onPage(
  { hash = '#/search', dark = false, width = 1280, height = 800, answers = {}, allowedErrors = [] },
  body,
) {
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height },
    hasTouch: width < 600,
    acceptDownloads: true,
  });
  const problems = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !allowedErrors.some((text) => message.text().includes(text)))
      problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.origin !== new URL(BASE).origin) {
      problems.push(`request to ${url.origin}`);
      return route.abort();
    }
    const name = url.pathname.startsWith('/api/v1/') ? url.pathname.slice(8) : url.pathname;
    if (!answers[name]) return route.continue();
    const answer = answers[name](JSON.parse(route.request().postData() ?? '{}'), route.request());
    const isProblem = answer.body !== undefined;
    return route.fulfill({
      status: isProblem ? answer.status : 200,
      contentType: 'application/json',
      body: JSON.stringify(isProblem ? answer.body : answer),
    });
  });
  try {
    await page.goto(new URL(hash, BASE).href);
    await settled(page);
    await body(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

/** Waits until no part of the page is loading, and keys and names answer: their module comes after the first screen. */
export async function settled(page) {
  // A changed address tells the page of it in a task of its own, which has run two frames later.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.reading === 'ready' &&
      document.querySelector('#main')?.childElementCount > 0 &&
      !document.querySelector('[aria-busy="true"]'),
    null,
    { timeout: SETTLE_MS },
  );
}

/** Opens another screen on the same page. */
export async function open(page, hash) {
  await page.evaluate((to) => {
    if (location.hash === to) return;
    document.querySelector('#main').setAttribute('aria-busy', 'true');
    location.hash = to;
  }, hash);
  await settled(page);
}

/** Asks the API itself for the text that the command line prints. */
export async function askText(command, parameters) {
  const response = await fetch(new URL(`api/v1/${command}`, BASE), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/plain' },
    body: JSON.stringify(parameters),
  });
  assert.ok(response.ok, command);
  return response.text();
}

/** Asks the API itself; returns the answer of each index. */
export async function askAll(command, parameters) {
  const response = await fetch(new URL(`api/v1/${command}`, BASE), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(parameters),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${command}: ${answer.error}`);
  return answer.indexes?.map((one) => one.answer) ?? [answer];
}

/** Asks the API itself; returns the answer of the first index. */
export const ask = async (command, parameters) => (await askAll(command, parameters))[0];

/** Whether anything makes the page wider than its window. */
export const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
