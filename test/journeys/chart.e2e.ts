import { expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import type { BarsAnswer } from '#market/bars/rules/barsAnswer.ts';
import { axeInBothThemes } from '../support/browser.ts';
import { hasFocus } from '../support/focus.ts';
import { openFixture, openVisit, picture, until } from '../support/fixture.ts';

const { fixture, page } = await openVisit(
  openFixture({ BELLBIRD_SIM_START: '12:10', BELLBIRD_SIM_SPEED: '10' }),
  '/intra-day-large-cap',
  // Too narrow for a docked pane, which has a chart of its own.
  { as: 'chartist-premium', browser: { viewport: { width: 1150, height: 800 } } },
);

const chart = (page: Page): Locator => page.getByRole('slider', { name: /: bars$/ });
const sliderText = async (page: Page): Promise<string> =>
  (await chart(page).getAttribute('aria-valuetext')) ?? '';

async function fetchBars(code: string, tf: string): Promise<BarsAnswer> {
  const response = await fetch(`${fixture.url}/api/data/bars?symbol=${code}&tf=${tf}&limit=800`);
  expect(response.status).toBe(200);
  return (await response.json()) as BarsAnswer;
}

/** The rows of the chart’s table: the text for each bar, by its time. */
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

/** The code of the open row, once its chart is drawn. */
async function openRow(page: Page): Promise<string> {
  const panel = page.getByRole('region', { name: /^Chart of / });
  await panel.waitFor();
  await page.locator('.price-chart-canvas[data-drawn]').waitFor();
  return ((await panel.getAttribute('aria-label')) ?? '').replace('Chart of ', '');
}

test('a row opens to its chart, whose numbers match the server, live and by the keyboard', async () => {
  const questions: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/data/bars')) questions.push(request.url());
  });
  const code = await openFirstRow(page);
  await until('the numbers are shown', async () => (await numbers(page)).length > 12);

  // The running bar and the one before it may still change; their values come from the stream.
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

  const before = await sliderText(page);
  await until('the newest bar changes or a new one starts', async () => (await sliderText(page)) !== before);
  expect(questions.filter((url) => !url.includes('before='))).toHaveLength(1);

  await chart(page).focus();
  await page.keyboard.press('Home');
  await until('the first bar is shown', async () => (await sliderText(page)).includes('open'));
  await page.keyboard.press('ArrowUp');
  await page.getByRole('slider', { name: `${code}, 5 minutes: bars` }).waitFor();
  await hasFocus('the chart', chart(page));
  const days = await fetchBars(code, 'D');
  await page.getByRole('button', { name: 'D, days' }).click();
  await page.getByRole('slider', { name: `${code}, days: bars` }).waitFor();
  await until('the previous day matches the server', async () => {
    const shown = (await numbers(page)).at(-2) ?? [];
    return Number(shown[4]) === days.bars.close.at(-2);
  });
});

test('averages and the timeframe are kept after a reload', async () => {
  // Days were chosen already.
  const code = await openRow(page);
  await page.getByRole('slider', { name: `${code}, days: bars` }).waitFor();
  await page.getByRole('button', { name: 'Chart options' }).click();
  for (const name of ['SMA 20', 'SMA 200']) {
    await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
  }
  await page.keyboard.press('Escape');

  // The next chart has the same timeframe and averages, after a reload too.
  await page.reload();
  const next = await openFirstRow(page);
  await page.getByRole('slider', { name: `${next}, days: bars` }).waitFor();
  await page.locator('.chart-legend', { hasText: 'SMA 200' }).waitFor();

  const looked = await axeInBothThemes(page, async (theme) => {
    if (theme === 'dark') await picture(page, 'chart');
  });
  expect(looked).toEqual([]);
});
