import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { BarsAnswer } from '../../src/domain/charts/bars.ts';
import { axeInBothThemes } from '../support/browser.ts';
import { expectQuiet, openStage, picture, type Stage, until } from '../support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ BELLBIRD_SIM_START: '12:10', BELLBIRD_SIM_SPEED: '10' });
});
afterAll(() => stage?.close());

const chart = (page: Page): Locator => page.getByRole('slider', { name: /: bars$/ });
const said = async (page: Page): Promise<string> => (await chart(page).getAttribute('aria-valuetext')) ?? '';

async function fetchBars(code: string, tf: string): Promise<BarsAnswer> {
  const response = await fetch(`${stage.url}/api/data/bars?symbol=${code}&tf=${tf}&limit=800`);
  expect(response.status).toBe(200);
  return (await response.json()) as BarsAnswer;
}

/** The rows of the chart's table: what it says of each bar, by its time. */
const numbers = (page: Page): Promise<string[][]> =>
  page
    .locator('.price-chart tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

const sydneyTime = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'Australia/Sydney',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

async function openFirstRow(page: Page): Promise<string> {
  await page.locator('tr[data-id] .expander').first().click();
  const panel = page.getByRole('region', { name: /^Chart of / });
  await panel.waitFor();
  await page.locator('.price-chart-canvas[data-drawn]').waitFor();
  return ((await panel.getAttribute('aria-label')) ?? '').replace('Chart of ', '');
}

test('a row opens to its chart, whose numbers are those of the server, live and by the keyboard', async () => {
  const visitor = await stage.visit('/intra-day-large-cap');
  const { page } = visitor;
  const questions: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/data/bars')) questions.push(request.url());
  });
  const code = await openFirstRow(page);

  // The running bar and the one before it may still change: their values are the stream's.
  const known = await fetchBars(code, '1');
  const byTime = new Map(known.bars.time.map((time, index) => [sydneyTime.format(time), index]));
  const settled = (await numbers(page)).slice(0, -2);
  expect(settled.length).toBeGreaterThan(10);
  for (const [when = '', open, high, low, close, volume] of settled) {
    const index = byTime.get(when) ?? -1;
    expect([open, high, low, close].map(Number)).toEqual(
      [known.bars.open, known.bars.high, known.bars.low, known.bars.close].map(
        (column) => column[index] ?? -1,
      ),
    );
    expect(Number(volume?.replaceAll(',', ''))).toBe(known.bars.volume[index] ?? -1);
  }

  const before = await said(page);
  await until('the newest bar moves or another follows it', async () => (await said(page)) !== before);
  expect(questions).toHaveLength(1);

  await chart(page).focus();
  await page.keyboard.press('Home');
  expect(await said(page)).toContain('open');
  await page.keyboard.press('ArrowUp');
  await page.getByRole('slider', { name: `${code}, 5 minutes: bars` }).waitFor();
  expect(await chart(page).evaluate((element) => element === document.activeElement)).toBe(true);
  const days = await fetchBars(code, 'D');
  await page.getByRole('button', { name: 'D, days' }).click();
  await page.getByRole('slider', { name: `${code}, days: bars` }).waitFor();
  const shown = (await numbers(page)).at(-2) ?? [];
  expect(Number(shown[4])).toBe(days.bars.close.at(-2) ?? -1);

  // The chosen timeframe is that of the next chart, after a reload too.
  await page.reload();
  const next = await openFirstRow(page);
  await page.getByRole('slider', { name: `${next}, days: bars` }).waitFor();
  await page.getByRole('button', { name: '1m, 1 minute' }).click();
  await page.getByRole('slider', { name: `${next}, 1 minute: bars` }).waitFor();
  const found = await axeInBothThemes(page, (theme) =>
    theme === 'dark' ? picture(page, 'chart', 'readme') : picture(page, 'chart-light'),
  );
  expect(found).toEqual([]);
  await visitor.context.close();
  expectQuiet(stage, visitor);
});

test('on a phone the chart stands above the news, and a finger on it scrolls the page', async () => {
  const visitor = await stage.visit('/intra-day-large-cap', {
    browser: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  });
  const { page } = visitor;
  await openFirstRow(page);
  const [canvas, news] = await Promise.all([
    page.locator('.price-chart-canvas').boundingBox(),
    page.locator('.news-row').boundingBox(),
  ]);
  expect((canvas?.y ?? 0) + (canvas?.height ?? 0)).toBeLessThanOrEqual(news?.y ?? 0);
  expect((canvas?.x ?? 0) + (canvas?.width ?? 0)).toBeLessThanOrEqual(390);
  const touch = await page.context().newCDPSession(page);
  const scrolled = () =>
    page
      .locator('.table-scroll')
      .first()
      .evaluate((element) => element.scrollTop);
  const x = (canvas?.x ?? 0) + 100;
  const y = (canvas?.y ?? 0) + (canvas?.height ?? 0) / 2;
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let step = 1; step <= 12; step += 1) {
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x, y: y - step * 10 }],
    });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await until('the page scrolled', async () => (await scrolled()) > 50);
  await visitor.context.close();
  expectQuiet(stage, visitor);
});
