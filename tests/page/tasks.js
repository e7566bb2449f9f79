// Does five tasks of a reader on the page, by pointer, wheel and keys, and by the command line, and prints what each
// took as a Markdown table. It fails if the page shows anything else than the command line answers.
//   SEXTANT_URL=http://127.0.0.1:7311/ SEXTANT_BIN=sextant SEXTANT_INDEX=./index node tasks.js runs=3

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { onPage, settled, start, stop } from './browser.js';

const DEFAULTS = `runs=1 tasks=12345 callers=lookupKeyWrite from=setCommand to=dbAdd folder=prometheus/tsdb/wlog
  tests=labelValuesWithMatchers file=prometheus/tsdb/querier.go line=197 name=PostingsForMatchers
  second=inversePostingsForMatcher`;
const given = Object.fromEntries([...DEFAULTS.split(/\s+/), ...process.argv.slice(2)].map((one) => one.split('=')));

/** Seconds of the Keystroke-Level Model (Card, Moran & Newell 1980): key, pointing, half a click, hand, thought. */
const [K, P, B, H, M] = [0.2, 1.1, 0.1, 0.4, 1.35];
const BIN = process.env.SEXTANT_BIN ?? 'sextant';
const nothing = () => ({ actions: 0, waited: 0, seconds: 0, bytes: 0 });

/** A person at the page, whose actions, seconds, waiting and received bytes are counted. */
class Person {
  constructor(page) {
    Object.assign(this, { page, cost: nothing(), hand: 'keys', running: 0, bodies: [] });
    page.on('request', () => (this.running += 1));
    page.on('requestfailed', () => (this.running -= 1));
    page.on('requestfinished', (request) => {
      this.running -= 1;
      if (request.url().includes('/api/')) this.bodies.push(request.response().then((response) => response.body()));
    });
  }

  /** Waiting ends when nothing on the page is loading and no request is under way. */
  ready = async () => {
    do await settled(this.page);
    while (this.running > 0);
  };

  async act(hand, seconds, action) {
    this.cost.actions += 1;
    this.cost.seconds += seconds + (hand === this.hand ? 0 : H);
    this.hand = hand;
    const begin = performance.now();
    await action();
    await this.ready();
    this.cost.waited += performance.now() - begin;
  }

  key = (key, thought = M) => this.act('keys', thought + K, () => this.page.keyboard.press(key));
  back = () => this.act('mouse', M + P + 2 * B, () => this.page.goBack());

  /** Types a text and a key: one action. */
  async type(text, last = 'Enter') {
    await this.page.keyboard.type(text);
    this.cost.seconds += K * text.length;
    await this.key(last);
  }

  async click(target) {
    const { x, y } = await this.see(target);
    await this.act('mouse', M + P + 2 * B, () => this.page.mouse.click(x, y));
  }

  async point(target) {
    const { x, y } = await this.see(target);
    const card = () => this.page.waitForSelector('.card-hover');
    await this.act('mouse', M + P, () => this.page.mouse.move(x, y).then(card));
  }

  /** Turns the wheel until a node is in sight, each turn an action, and returns its middle. */
  async see(target, turns = 0) {
    const { x, y, turn } = await target.first().evaluate(whereToTurn, null, { timeout: 5000 });
    if (!turn) return { x, y };
    assert.ok(turns < 200, `${target} does not come into sight`);
    await this.act('mouse', K, () => this.page.mouse.move(x, y).then(() => this.page.mouse.wheel(...turn)));
    return this.see(target, turns + 1);
  }
}

/** Only reads the page: the middle of a node in sight, or where to turn the wheel, and in which direction. */
function whereToTurn(node) {
  const box = node.getClientRects()[0];
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const hit = document.elementFromPoint(x, y);
  if (hit && (node.contains(hit) || hit.closest('a, summary')?.contains(node))) return { x, y, turn: null };
  const top = document.querySelector('.top').getBoundingClientRect().bottom;
  for (let around = node.parentElement; around !== document.body; around = around.parentElement) {
    const clip = around.getBoundingClientRect();
    const [from, to] = [Math.max(top, clip.top), Math.min(innerHeight, clip.bottom)];
    const middle = { x: (clip.left + clip.right) / 2, y: (from + to) / 2 };
    if (from > to || getComputedStyle(around).overflow.includes('visible')) continue;
    if (x < clip.left || x > clip.right) return { ...middle, turn: [x < middle.x ? -500 : 500, 0] };
    if (y < clip.top || y > clip.bottom) return { ...middle, turn: [0, y < middle.y ? -500 : 500] };
  }
  return { x: 4, y: innerHeight / 2, turn: [0, y < innerHeight / 2 ? -500 : 500] };
}

/** The same person at the command line. The environment names the index. */
class Terminal {
  cost = nothing();

  /** Runs a command as typed, then once more for its JSON, which does not count. */
  ask(...words) {
    const begin = performance.now();
    const { stdout, stderr } = spawnSync(BIN, words, { encoding: 'utf8' });
    this.cost.waited += performance.now() - begin;
    this.cost.actions += 1;
    this.cost.seconds += M + K * `sextant ${words.join(' ')}\n`.length;
    this.cost.bytes += Buffer.byteLength(stdout + stderr);
    return JSON.parse(spawnSync(BIN, [...words, '--format', 'json'], { maxBuffer: 1 << 28 }).stdout);
  }
}

const texts = async (locator) => (await locator.allInnerTexts()).map((text) => text.trim());
const confidenceIn = (label) => /(?:sure|likely|candidate) (\d\.\d\d)/.exec(label)?.[1];
const digits = (confidence) => Math.min(confidence, 0.99).toFixed(2);
const edgesOf = ({ results }) =>
  results.map((one) => `${one.kind === 'file' ? one.path : one.qualified_name} ${one.path} ${digits(one.confidence)}`);
const stepsOf = ({ steps }) => steps.map((one, n) => `${n} ${one.qualified_name} ${n ? digits(one.confidence) : ''}`);

async function openSymbol(person, name) {
  await person.key('/', 0);
  await person.type(name);
  await person.click(person.page.locator('.hit .row .symbol', { hasText: new RegExp(`(^|\\W)${name}$`) }));
}

async function readEdges(person, rows) {
  if (await rows.count()) await person.see(rows.last());
  const read = async (row) => {
    const name = await row.locator('.row a').first().innerText();
    const where = (await texts(row.locator('.path, .location')))[0] ?? name;
    return `${name} ${where.replace(/:\d+$/, '')} ${confidenceIn(await row.locator('.edge').innerText())}`;
  };
  return Promise.all((await rows.all()).map(read));
}

async function callers(person) {
  await openSymbol(person, given.callers);
  const left = person.page.locator('.side.left');
  for (const fold of await left.locator('summary', { hasText: /^\d+ (more|tests?)$/ }).all()) await person.click(fold);
  return readEdges(person, left.locator('.neighbour:visible'));
}

async function path(person, { page } = person) {
  await person.click(page.locator('#screens').getByText('Path'));
  await person.click(page.locator('#from'));
  await person.type(given.from, 'Tab');
  await person.type(given.to);
  await person.see(page.locator('.hops > .card').last());
  const hops = (await texts(page.locator('.hops > .hop'))).map(confidenceIn);
  return (await texts(page.locator('.hops > .card .symbol'))).map((name, n) => `${n} ${name} ${hops[n - 1] ?? ''}`);
}

/** The longest of some folders that is the wanted one or above it. */
const nearest = (folders, wanted = given.folder) =>
  folders.filter((one) => `${wanted}/`.startsWith(`${one}/`)).reduce((a, b) => (b.length > a.length ? b : a), '');

/** By the start page's modules or the map, then box by box. Nobody waits for communities on the way. */
async function folder(person, { page, ready } = person) {
  person.ready = async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.waitForSelector('#main:not([aria-busy]) svg.drawing');
  };
  const modules = page.locator('.start .card li.row > a');
  let at = nearest(await texts(modules), given.folder.replace(/\/[^/]*$/, ''));
  await person.click(at ? modules.getByText(at, { exact: true }) : page.locator('#screens').getByText('Map'));
  const boxes = page.locator('svg.drawing a.module');
  while (at !== given.folder) {
    const keys = await boxes.evaluateAll((all) => all.map((one) => one.dataset.key));
    const [above, many] = [nearest(keys), page.locator('.chip:not([aria-current])', { hasText: 'Many' })];
    await person.click(above.length > at.length ? boxes.nth(keys.indexOf(above)) : many);
    if (![at, '', given.folder].includes(above)) await person.click(page.getByText('Look inside'));
    at = nearest([at, above]);
  }
  person.ready = ready;
  const offers = page.locator('#module .columns > div').first().locator('li');
  if (await offers.count()) await person.see(offers.last());
  const users = await texts(offers.getByText(/^used by/));
  const names = await texts(offers.locator('.symbol'));
  await person.click(page.getByText('Look inside'));
  const terms = page.locator('.communities li strong');
  if (await terms.count()) await person.see(terms.last());
  return [...names.map((name, n) => `${name} ${Number.parseInt(users[n].slice(8), 10)}`), ...(await texts(terms))];
}

const aboutOf = ({ modules, communities }) => [
  ...modules
    .find((one) => `${one.repo}/${one.path}` === given.folder)
    .exports.map((one) => `${one.qualified_name} ${one.used_by}`),
  ...communities.communities.map((one) => one.terms.slice(0, 6).join(', ') || 'no terms'),
];

async function tests(person) {
  await openSymbol(person, given.tests.split(' ')[0]);
  const fold = person.page.locator('.card details', { hasText: /^All tests that a change can affect/ });
  await person.click(fold.locator('summary'));
  return readEdges(person, fold.locator('li'));
}

async function reading(person, { page } = person) {
  const head = async () => (await texts(page.locator('h1, h1 + .row .location'))).join(' ');
  const follow = async (name) => {
    await person.click(name);
    await person.click(page.getByRole('menuitem', { name: 'Definition' }));
    return head();
  };
  await person.key('/', 0);
  await person.type(`${given.file.replace(/^[^/]*\//, '')}:${given.line}`);
  const line = page.locator(`.line[data-line="${given.line}"]`);
  const name = line.locator('a.name').getByText(given.name, { exact: true });
  await person.point(name);
  const seen = [await page.locator('.card-hover pre').innerText(), await follow(name)];
  seen.push(await follow(page.locator('.middle a.name').getByText(given.second, { exact: true })));
  await person.back();
  assert.equal(await head(), seen[1]);
  await person.back();
  await person.see(line.locator('.number'));
  return seen;
}

function readingByCommand(terminal) {
  terminal.ask('show', `${given.file}:${given.line}`, '-C', '8');
  const [first] = terminal.ask('definition', given.name, '--from', given.file).results;
  terminal.ask('show', first.key);
  const second = terminal.ask('show', given.second).results[0].symbol;
  const head = (one) => `${one.kind} ${one.qualified_name} ${one.path}:${one.start_line}-${one.end_line}`;
  return [first.signature, head(first), head(second)];
}

const TASKS = [
  ['Who calls X, with which confidence?', callers, (terminal) => edgesOf(terminal.ask('callers', given.callers))],
  ['How does A reach B?', path, (terminal) => stepsOf(terminal.ask('path', given.from, given.to))],
  ['What is this folder about?', folder, (terminal) => aboutOf(terminal.ask('map', given.folder, '--communities'))],
  ['Which tests can an edit touch?', tests, (terminal) => edgesOf(terminal.ask('affected', ...given.tests.split(' ')))],
  ['What is the name on line N? Two calls deep, and back', reading, readingByCommand],
];

function cells(costs) {
  const median = (key) => costs.map((one) => one[key]).sort((a, b) => a - b)[costs.length >> 1];
  const [actions, waited, seconds, bytes] = Object.keys(nothing()).map(median);
  return `${actions} | ${Math.round(waited)} ms | ${seconds.toFixed(1)} s | ${(bytes / 1024).toFixed(1)} KiB`;
}

await start();
console.log(`| task |${' actions | waiting | person | bytes |'.repeat(2)}\n|---|${'---:|'.repeat(8)}`);
for (const [title, onThePage, byCommand] of TASKS.filter((_, n) => given.tasks.includes(n + 1))) {
  const [people, terminals] = [[], []];
  while (people.length < given.runs) {
    const terminal = new Terminal();
    const expected = byCommand(terminal).sort();
    terminals.push(terminal.cost);
    await onPage({}, async (page) => {
      const person = new Person(page);
      assert.deepEqual((await onThePage(person)).sort(), expected, title);
      person.cost.bytes = (await Promise.all(person.bodies)).reduce((sum, body) => sum + body.length, 0);
      people.push(person.cost);
    });
  }
  console.log(`| ${title} | ${cells(people)} | ${cells(terminals)} |`);
}
await stop();
