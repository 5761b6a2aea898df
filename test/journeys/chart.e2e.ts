import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { BarsAnswer } from '../../src/market/bars/rules/bars.ts';
import { axeInBothThemes } from '../support/browser.ts';
import { hasFocus, hasFocusIn } from '../support/focus.ts';
import {
  endQuietly,
  expectQuiet,
  openStage,
  picture,
  type Stage,
  until,
  type Visitor,
} from '../support/stage.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

let stage: Stage;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  stage = await openStage({ BELLBIRD_SIM_START: '12:10', BELLBIRD_SIM_SPEED: '10' });
  visitor = await stage.visit('/intra-day-large-cap', { as: 'chartist-premium' });
  page = visitor.page;
});
afterAll(() => endQuietly(stage, visitor));

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
  return openRow(page);
}

/** The code of the row that is open, once its chart is drawn. */
async function openRow(page: Page): Promise<string> {
  const panel = page.getByRole('region', { name: /^Chart of / });
  await panel.waitFor();
  await page.locator('.price-chart-canvas[data-drawn]').waitFor();
  return ((await panel.getAttribute('aria-label')) ?? '').replace('Chart of ', '');
}

test('a row opens to its chart, whose numbers are those of the server, live and by the keyboard', async () => {
  const questions: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/data/bars')) questions.push(request.url());
  });
  const code = await openFirstRow(page);
  await until('the numbers are there', async () => (await numbers(page)).length > 12);

  // The running bar and the one before it may still change: their values are the stream's.
  const settled = (await numbers(page)).slice(0, -2);
  const known = await fetchBars(code, '1');
  const byTime = new Map(known.bars.time.map((time, index) => [sydneyTime.format(time), index]));
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
  await until('the first bar is read', async () => (await said(page)).includes('open'));
  await page.keyboard.press('ArrowUp');
  await page.getByRole('slider', { name: `${code}, 5 minutes: bars` }).waitFor();
  await hasFocus('the chart', chart(page));
  const days = await fetchBars(code, 'D');
  await page.getByRole('button', { name: 'D, days' }).click();
  await page.getByRole('slider', { name: `${code}, days: bars` }).waitFor();
  await until('the day before is that of the server', async () => {
    const shown = (await numbers(page)).at(-2) ?? [];
    return Number(shown[4]) === days.bars.close.at(-2);
  });
});

test('averages are those of the server’s bars, kept over a reload, and the day is shown whole when asked for', async () => {
  // Days were chosen already.
  const code = await openRow(page);
  await page.getByRole('slider', { name: `${code}, days: bars` }).waitFor();
  await page.getByRole('button', { name: 'Chart options' }).click();
  for (const name of ['SMA 20', 'SMA 200']) {
    await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
  }
  const found = await axeInBothThemes(page, (theme) => picture(page, `chart-options-${theme}`), 'menu');
  expect(found).toEqual([]);
  await page.keyboard.press('Escape');

  const { close } = (await fetchBars(code, 'D')).bars;
  const mean = (length: number) => close.slice(-1 - length, -1).reduce((sum, one) => sum + one, 0) / length;
  // The running bar goes on: the one before it stands.
  let before: string[] = [];
  await until('the table has the averages', async () => {
    before = (await numbers(page)).at(-2) ?? [];
    return before.length === 8;
  });
  const [short, long] = before.slice(6).map(Number);
  expect(short).toBeCloseTo(mean(20), 1);
  expect(long).toBeCloseTo(mean(200), 1);

  // The timeframe and the averages are those of the next chart, after a reload too.
  await page.reload();
  const next = await openFirstRow(page);
  await page.getByRole('slider', { name: `${next}, days: bars` }).waitFor();
  await page.locator('.chart-legend', { hasText: 'SMA 200' }).waitFor();

  // Of minutes the day begins long before there are two hundred: the bars of the days before it are read for that.
  await page.getByRole('button', { name: '1m, 1 minute' }).click();
  await page.getByRole('slider', { name: `${next}, 1 minute: bars` }).waitFor();
  await chart(page).focus();
  await until('bars of earlier days are there', async () => {
    await page.keyboard.press('Home');
    return /^\d+ \w+ /.test(await said(page));
  });
  await page.getByRole('button', { name: 'Chart options' }).click();
  const pixels = () => page.locator('.price-chart-canvas').screenshot();
  const narrow = await pixels();
  await page.getByRole('menuitemcheckbox', { name: 'Whole day’s width' }).click();
  await page.keyboard.press('Escape');
  await until('the chart is another', async () => !(await pixels()).equals(narrow));
  await picture(page, 'chart-whole-day');
  const looked = await axeInBothThemes(page, (theme) =>
    theme === 'dark' ? picture(page, 'chart', 'readme') : picture(page, 'chart-light'),
  );
  expect(looked).toEqual([]);
});

/** The alerts of the signed-in user on a stock: what they compare. */
async function alertsOn(page: Page, symbol: string): Promise<unknown[]> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const response = await fetch(`${stage.url}/api/alerts?symbol=${symbol}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { alerts } = (await response.json()) as { alerts: { logic_json: { conditions: unknown[] } }[] };
  return alerts.flatMap(({ logic_json }) => logic_json.conditions);
}

test('a click in the chart offers an alert, which is set only once it is confirmed, by the keyboard too', async () => {
  const code = await openRow(page);
  const offered = page.getByRole('button', { name: /^Alert me: / });
  const box = await page.locator('.price-chart-canvas').boundingBox();
  if (box === null) throw new Error('The chart has no place.');

  // A drag moves the chart and points at nothing.
  await page.mouse.move(box.x + 300, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 380, box.y + 62, { steps: 4 });
  await page.mouse.up();
  expect(await offered.count()).toBe(0);

  await page.mouse.click(box.x + 300, box.y + 30);
  const words = (await offered.textContent()) ?? '';
  const price = Number(/ above ([\d.]+)$/.exec(words)?.[1]);
  expect(price).toBeGreaterThan(0);
  await picture(page, 'chart-price-cursor');
  await offered.click();
  const dialog = page.getByRole('dialog', { name: `Alert me on ${code}` });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await alertsOn(page, code)).toEqual([]);
  await hasFocus('the offer', offered);
  // What is left by Escape is the price, not the row.
  await page.keyboard.press('Escape');
  await offered.waitFor({ state: 'detached' });
  expect(await chart(page).count()).toBe(1);

  await page.getByRole('slider', { name: / price of an alert$/ }).focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Set alert' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await hasFocusIn('the chart', page.locator('.price-chart'));
  const [condition, ...others] = await alertsOn(page, code);
  expect(others).toEqual([]);
  expect(condition).toMatchObject({ lhs: { type: 'field', key: 'last' }, rhs: { type: 'number' } });
  // It stands in the chart from then on, and in what is read of it.
  await page.locator('.price-chart li', { hasText: 'Alert: ' }).waitFor({ state: 'attached' });
  await offered.waitFor({ state: 'detached' });
  await page.getByText('Legend', { exact: true }).click();
  await page.getByText('The price that your alert waits for').waitFor();
});

test('with a risk, the chart tells the size for a stop where the pointer is', async () => {
  await openRow(page);
  const box = await page.locator('.price-chart-canvas').boundingBox();
  if (box === null) throw new Error('The chart has no place.');
  const size = page.locator('.size-readout-text');
  expect(await size.count()).toBe(0);
  await page.getByRole('button', { name: 'Chart options' }).click();
  await page.getByRole('menuitem', { name: 'Position size…' }).click();
  await page.getByRole('spinbutton', { name: 'Risk ($)' }).fill('500');
  await page.getByRole('button', { name: 'Done' }).click();
  await size.filter({ hasText: /^Point below / }).waitFor();
  // Near the lower edge it is below the last price.
  await page.mouse.move(box.x + 300, box.y + box.height - 30);
  await size.filter({ hasText: /^Stop [\d.]+: [\d,]+ shares?, cost \$/ }).waitFor();
  await page.mouse.move(box.x + 300, box.y + 30);
  await size.filter({ hasText: /the stop must be below the entry/ }).waitFor();
  await page.getByRole('button', { name: 'Risk $500' }).click();
  await page.getByRole('button', { name: 'Show no size' }).click();
  await size.waitFor({ state: 'detached' });
});

test('after a gap the prices of today fill the chart', async () => {
  const gap = await stage.visit('/intra-day-large-cap', { as: 'gap-premium' });
  let today: { low: number; high: number } | null = null;
  // The day before closed at five times the price.
  await gap.page.route('**/api/data/bars?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as BarsAnswer;
    const { bars } = answer;
    const first = bars.time.findIndex((time) => time > (bars.time.at(-1) ?? 0) - 12 * 3_600_000);
    today = { low: Math.min(...bars.low.slice(first)), high: Math.max(...bars.high.slice(first)) };
    const before = bars.time.slice(first, first + 60).map((time) => time - 86_400_000);
    const five = (column: number[]) => [
      ...column.slice(first, first + 60).map((price) => price * 5),
      ...column.slice(first),
    ];
    const gapped = {
      time: [...before, ...bars.time.slice(first)],
      open: five(bars.open),
      high: five(bars.high),
      low: five(bars.low),
      close: five(bars.close),
      volume: five(bars.volume),
    };
    await route.fulfill({ json: { ...answer, bars: gapped, knownSince: before[0] } });
  });
  await openFirstRow(gap.page);
  const box = await gap.page.locator('.price-chart-canvas').boundingBox();
  if (box === null || today === null) throw new Error('There is no chart.');
  const { low, high } = today as { low: number; high: number };
  const offered = gap.page.getByRole('button', { name: /^Alert me: / });
  const priceAt = async (part: number): Promise<number> => {
    await until('the click counts: the library takes none soon after another', async () => {
      await gap.page.mouse.click(box.x + 300, box.y + (box.height - 26) * part);
      return (await offered.count()) === 1;
    });
    const words = (await offered.textContent()) ?? '';
    await gap.page.keyboard.press('Escape');
    await offered.waitFor({ state: 'detached' });
    return Number(/([\d.]+)$/.exec(words)?.[1]);
  };
  const height = ((await priceAt(0.15)) - (await priceAt(0.7))) / 0.55;
  // Beside the bars there is room for volumes, marks and levels that are near.
  expect(height).toBeLessThan((high - low) * 2.6);
  expect(await priceAt(0.4)).toBeLessThan(high * 1.05);
  await picture(gap.page, 'chart-gap');
  await gap.page.unrouteAll({ behavior: 'ignoreErrors' });
  await gap.context.close();
});

describe('on a phone', () => {
  let fingers: Visitor;
  let page: Page;
  beforeAll(async () => {
    fingers = await stage.visit('/intra-day-large-cap', { as: 'fingers-premium', browser: PHONE });
    page = fingers.page;
  });
  afterAll(async () => {
    await fingers?.context.close();
    if (fingers) expectQuiet(stage, fingers);
  });

  test('the chart stands above the news, and a finger on it scrolls the page', async () => {
    await openFirstRow(page);
    await page.locator('.news-row').waitFor();
    await until('the news is below the chart, which is no wider than the screen', () =>
      page.evaluate(() => {
        const [canvas, news] = ['.price-chart-canvas', '.news-row'].map((one) =>
          document.querySelector(one)?.getBoundingClientRect(),
        );
        return canvas !== undefined && news !== undefined && canvas.bottom <= news.top && canvas.right <= 390;
      }),
    );
    const canvas = await page.locator('.price-chart-canvas').boundingBox();
    const touch = await page.context().newCDPSession(page);
    const scroller = page.locator('.table-scroll').first();
    const scrolled = () => scroller.evaluate((element) => element.scrollTop);
    const x = (canvas?.x ?? 0) + 100;
    const y = (canvas?.y ?? 0) + (canvas?.height ?? 0) / 2;
    // All at once: a finger that rests for half a second, as on a busy machine it would, presses and no longer scrolls.
    await Promise.all([
      touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] }),
      ...Array.from({ length: 12 }, (_, step) =>
        touch.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: [{ x, y: y - (step + 1) * 10 }],
        }),
      ),
    ]);
    await until('the page scrolled', async () => (await scrolled()) > 50);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    // What the finger set in motion may scroll on for a while.
    await until('it stands at the top', () =>
      scroller.evaluate(async (element) => {
        element.scrollTo(0, 0);
        for (let frames = 0; frames < 5; frames += 1) await new Promise(requestAnimationFrame);
        return element.scrollTop === 0;
      }),
    );
  });

  test('a finger taps a price and then its button', async () => {
    const code = await openRow(page);
    const box = await page.locator('.price-chart-canvas').boundingBox();
    const [left, top] = [box?.x ?? 0, box?.y ?? 0];
    const offered = page.getByRole('button', { name: /^Alert me: / });
    // Two fingers that part and one that goes sideways look closer and move the chart, and point at nothing.
    const touch = await page.context().newCDPSession(page);
    const pixels = () => page.locator('.price-chart-canvas').screenshot();
    const gesture = async (at: (step: number) => { x: number; y: number }[]) => {
      const before = await pixels();
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
      for (let step = 1; step <= 10; step += 1) {
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) });
      }
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await until('the chart is another', async () => !(await pixels()).equals(before));
      expect(await offered.count()).toBe(0);
    };
    await gesture((step) => [
      { x: left + 120 - step * 5, y: top + 60 },
      { x: left + 160 + step * 5, y: top + 60 },
    ]);
    await gesture((step) => [{ x: left + 200 - step * 8, y: top + 60 }]);

    await page.touchscreen.tap(left + 100, top + 40);
    await offered.waitFor();
    const button = await offered.boundingBox();
    expect(button?.height ?? 0).toBeGreaterThanOrEqual(40);
    expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(390);
    await picture(page, 'chart-price-cursor-phone');
    await offered.tap();
    await page.getByRole('dialog', { name: `Alert me on ${code}` }).waitFor();
    expect(await alertsOn(page, code)).toEqual([]);
  });
});
