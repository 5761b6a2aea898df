import { afterAll, expect, test } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { watchForErrors } from '../support/browser.ts';
import { button } from '../support/configurator.ts';
import { settled } from '../support/settled.ts';
import { expectMoving, expectQuiet, grid, until } from '../support/fixture.ts';
import { openTradingFixture } from '../support/tradingFixture.ts';

const fixture = await openTradingFixture();
afterAll(() => fixture.close());
const visitor = await fixture.visit('/pre-market', { as: 'admin' });
const { page } = visitor;
const refused = await watchPolicy(page);

/** Collects what the content security policy refuses in a page from now on, whether or not the console reports it. */
async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
      refused.push(`${effectiveDirective} ${blockedURI} ${sourceFile}`),
    );
  });
  return () => page.evaluate(() => (window as unknown as { refused: string[] }).refused);
}

const screens: Record<string, RegExp> = {
  '/intra-day-small': /^Top Movers under \$1/,
  '/calls': /^Calls$/,
  '/custom-scanner': /^Custom Scanner/,
  '/fx-news': /^Economic Calendar$/,
  '/watchlist': /^Watchlist & Alerts$/,
  '/admin': /^Admin Panel$/,
};

test('no screen violates the policy: lazy code, dialogs, dragging, the shared worker', async () => {
  await page.reload();
  for (const [route, text] of Object.entries(screens)) {
    await page.goto(`${fixture.url}/#${route}`);
    await settled(page, text);
  }
  await page.goto(`${fixture.url}/#/settings/columns`);
  await button(page, 'Add Indicator').first().click();
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.press('Escape');
  // The palette does not open over another dialog.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Symbol, screen or action' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goto(`${fixture.url}/#/intra-day-small`);
  await expectMoving(grid(page, 'Top Movers under $1'));
  expect(await refused()).toEqual([]);
  expectQuiet(fixture, visitor);
});

test('an inline script, a script from elsewhere and an inline style are refused', async () => {
  await page.goto(`${fixture.url}/#/calls`);
  await page.reload();
  await page.getByRole('main').waitFor();
  await page.evaluate(() => {
    const inline = document.createElement('script');
    inline.textContent = 'window.ran = true';
    const foreign = document.createElement('script');
    foreign.src = 'http://127.0.0.1:9/evil.js';
    document.body.append(inline, foreign);
    document.body.setAttribute('style', 'color: red');
    const image = new Image();
    image.src = 'http://127.0.0.1:9/pixel.png';
    void fetch('http://127.0.0.1:9/steal').catch(() => {});
  });
  await until('all five are refused', async () => (await refused()).length === 5);
  const directives = (await refused()).map((line) => line.split(' ')[0]).sort();
  expect(directives).toEqual([
    'connect-src',
    'img-src',
    'script-src-elem',
    'script-src-elem',
    'style-src-attr',
  ]);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
});

test('the operator’s own pages show with their styles and pictures, and run no script', async () => {
  const folder = join(fixture.bellbird.dataDir, 'public');
  await mkdir(folder, { recursive: true });
  await Bun.write(join(folder, 'dot.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>');
  await Bun.write(
    join(folder, 'notice.html'),
    '<style>p { color: rgb(1, 2, 3) }</style><p style="margin: 5px">Closed on Monday</p><img src="dot.svg">' +
      '<script>document.title = "ran"</script><script src="own.js"></script>',
  );
  await Bun.write(join(folder, 'own.js'), 'document.title = "ran"');
  const errors = watchForErrors(page);
  await page.goto(`${fixture.url}/local/notice.html`);
  const shown = await page.evaluate(() => {
    const paragraph = document.querySelector('p');
    const { color, margin } = getComputedStyle(paragraph ?? document.body);
    return { color, margin, picture: document.querySelector('img')?.naturalWidth, title: document.title };
  });
  expect(shown).toEqual({ color: 'rgb(1, 2, 3)', margin: '5px', picture: 7, title: '' });
  const isAboutScripts = (error: string): boolean => /script|own\.js/.test(error);
  expect(errors.filter((error) => !isAboutScripts(error) && !error.includes('favicon.ico'))).toEqual([]);
});
