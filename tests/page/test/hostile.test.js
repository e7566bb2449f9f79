// Indexed text is hostile, and files are long.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askAll, onPage, open, overflow, start, stop } from '../browser.js';
import { hostileAnswers } from '../answers.js';
import { files, snippets } from '../hostile.js';

before(start);
after(stop);

const SCREENS = [
  'search?q=x',
  'symbol?name=x',
  'references?name=x',
  'file?file=x',
  'path?from=a&to=b',
  'map',
  'map?module=x',
  'compare?a=x&b=y',
  'health',
];

test('500 hostile snippets run nothing and keep the layout', async () => {
  const texts = snippets();
  assert.equal(texts.length, 500);
  for (let n = 0; n < texts.length; n += 50) {
    await onPage({ hash: '#/search?q=x', answers: hostileAnswers(texts.slice(n, n + 50)) }, async (page) => {
      assert.equal(await page.locator('.hit').count(), 50);
      assert.equal(await page.evaluate(() => window.pwned), undefined);
      assert.ok((await overflow(page)) <= 0, `snippets from ${n} widen the page by ${await overflow(page)}`);
      assert.equal(await page.locator('main :is(script, iframe, object, style, base, meta, link, math)').count(), 0);
    });
  }
});

test('hostile names, paths and lines on every screen, wide and narrow', async () => {
  const texts = snippets().filter((_, n) => n % 10 === 0);
  for (const width of [1280, 390]) {
    await onPage({ hash: '#/search?q=x', width, answers: hostileAnswers(texts) }, async (page) => {
      for (const screen of SCREENS) {
        await open(page, `#/${screen}`);
        assert.equal(await page.evaluate(() => window.pwned), undefined, screen);
        assert.ok((await overflow(page)) <= 0, `${screen} at ${width} is too wide by ${await overflow(page)}`);
        assert.equal(await page.locator('main .failure').count(), 0, screen);
        assert.equal(
          await page.locator('main :is(script, iframe, object, style, base, meta, link, img)').count(),
          0,
          screen,
        );
        assert.doesNotMatch(
          await page.evaluate(() => document.body.innerText),
          /[\u202a-\u202e\u2066-\u2069\u200b]/,
          `${screen} shows hidden characters`,
        );
      }
    });
  }
});

test('hidden characters are shown as code points', async () => {
  await onPage(
    { hash: '#/file?file=x', answers: hostileAnswers(['a\u202eb\u2069c\u200bd', 'CRLF\r', 'caf\u00e9']) },
    async (page) => {
      assert.deepEqual(await page.locator('.line[data-line="1"] .escape').allInnerTexts(), [
        'U+202E',
        'U+2069',
        'U+200B',
      ]);
      assert.equal(await page.locator('.line[data-line="2"] .text').textContent(), 'CRLF');
      assert.match(await page.title(), /U\+202E/);
    },
  );
});

test('a cut line can be shown as a whole', async () => {
  await onPage({ hash: '#/file?file=x', answers: hostileAnswers(['y'.repeat(5000), 'short']) }, async (page) => {
    assert.ok((await page.locator('.line[data-line="1"] .text').innerText()).length < 1100);
    await page.getByRole('button', { name: /more characters/ }).click();
    assert.equal((await page.locator('.line[data-line="1"] .text').innerText()).length, 5000);
  });
});

test('spans of bytes become classes of characters', async () => {
  const answers = hostileAnswers(['é = "ü" // ok']);
  const { show } = answers;
  answers.show = () => {
    const answer = show();
    answer.results[0].spans = [
      [1, 5, 9, 'string'],
      [1, 10, 15, 'comment'],
      [1, 0, 2, 'nonsense" onload="x'],
    ];
    return answer;
  };
  answers['/openapi.json'] = () => ({ paths: { '/api/v1/show': { post: { parameters: ['spans'] } } } });
  await onPage({ hash: '#/file?file=x', answers }, async (page) => {
    assert.equal(await page.locator('.h-string').innerText(), '"ü"');
    assert.equal(await page.locator('.h-comment').innerText(), '// ok');
    assert.equal(await page.locator('[class*=nonsense]').count(), 0);
  });
});

test('a file of 100,000 lines scrolls with few lines in the page', async () => {
  const answers = hostileAnswers(['x']);
  const total = 100_000;
  const line = (n) => `line ${n}`;
  answers.show = ({ names }) => {
    const [, first, last] = /:(\d+)-(\d+)$/.exec(names[0]) ?? [null, 1, 2000];
    const lines = Array.from({ length: last - first + 1 }, (_, n) => line(Number(first) + n));
    return {
      results: [
        {
          repo: 'r',
          path: 'long.txt',
          start_line: Number(first),
          end_line: Number(last),
          language: 'text',
          text: lines.join('\n'),
        },
      ],
      ambiguous: [],
      not_found: [],
      cut: names[0].includes(':') ? undefined : [`long.txt:2001-${total}`],
    };
  };
  await onPage({ hash: '#/file?file=r/long.txt&line=77777', answers }, async (page) => {
    const shown = (n) => page.locator(`.line[data-line="${n}"] .text`);
    await page.waitForFunction(() =>
      document.querySelector('.line[data-line="77777"] .text')?.textContent.startsWith('line'),
    );
    assert.equal(await shown(77_777).innerText(), line(77_777));
    assert.ok((await page.locator('.line').count()) < 200);
    await page.locator('.code').press('End');
    await page.waitForFunction(
      () => document.querySelector('.line[data-line="100000"] .text')?.textContent === 'line 100000',
    );
    await page.locator('.code').press('Home');
    await page.waitForFunction(() => document.querySelector('.line[data-line="1"] .text')?.textContent === 'line 1');
    assert.ok((await page.locator('.line').count()) < 200);
  });
});

test('an index of the hostile snippets is shown, file by file', async (context) => {
  const stats = await askAll('stats', {});
  if (!stats.some((answer) => answer.repositories.some((repository) => repository.name === 'hostile'))) {
    context.skip('no repository of the server is called hostile: see README.md');
    return;
  }
  await onPage({ hash: '#/search?q=before_1&repo=hostile' }, async (page) => {
    let shown = 0;
    for (const { path } of files()) {
      await open(page, `#/file?file=${encodeURIComponent(`hostile/${path}`)}`);
      shown += await page.locator('.code.virtual').count();
      assert.equal(await page.evaluate(() => window.pwned), undefined, path);
      assert.ok((await overflow(page)) <= 0, path);
    }
    console.log(`${shown} of ${files().length} hostile files are in the index, the others were skipped`);
    for (const query of ['before_1', 'onerror', 'script', 'nimda', 'window pwned', 'snippet_300.rs']) {
      await open(page, `#/search?q=${encodeURIComponent(query)}&repo=hostile&weak=1&n=100`);
      assert.equal(await page.evaluate(() => window.pwned), undefined, query);
      assert.ok((await overflow(page)) <= 0, query);
    }
  });
});
