import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { addIndicator, button, chipNames, region, save } from '../support/configurator.ts';
import { hasFocus } from '../support/focus.ts';
import { grid, openVisit, picture, shownNumber, shownRows, until } from '../support/fixture.ts';
import { openTradingFixture } from '../support/tradingFixture.ts';

const { fixture, page } = await openVisit(openTradingFixture(), '/intra-day-large-cap', {
  as: 'premium-columns',
});

const headings = (page: Page): Promise<string[]> =>
  page.locator('.table-sort-label').evaluateAll((labels) => labels.map((label) => label.textContent ?? ''));
const stand = (names: readonly string[]): boolean =>
  names.slice(0, 4).join() === 'Name,RSI(14) 1h,RSI(14) 1D,Change';

test('RSI columns on two timeframes are chosen, reordered by keyboard, saved, reloaded, and updated live', async () => {
  await grid(page, 'Top Movers Large Cap').locator('tr[data-id]').first().waitFor();
  await button(page, 'More').click();
  await page.getByRole('menuitem', { name: 'Configure Columns' }).click();
  const table = region(page, 'Intra-day Large Cap');
  await table.waitFor();
  await hasFocus('the scanner’s own table', table);
  expect(await table.isVisible()).toBe(true);

  await button(table, 'Add Indicator').click();
  await page.getByRole('searchbox').waitFor();
  await addIndicator(page, 'rsi', ['1h', '1D']);
  await button(page.getByRole('dialog'), 'Save').click();
  await until(
    'the columns are shown',
    async () => (await chipNames(table)).slice(-2).join() === 'RSI(14) 1h,RSI(14) 1D',
  );

  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const name of ['RSI(14) 1D', 'RSI(14) 1h']) {
    const handle = button(table, `Move ${name}`);
    await handle.focus();
    for (const [key, place] of [
      ['Home', 0],
      ['ArrowRight', 1],
    ] as const) {
      await page.keyboard.press(key);
      await until('the key has moved it', async () => (await chipNames(table))[place] === name);
      await hasFocus('its handle', handle);
    }
  }
  await until('they are in the chosen order', async () => stand(await chipNames(table)));
  await save(table);

  await page.reload();
  await table.waitFor();
  await until('they are in that order after a reload', async () => stand(await chipNames(table)));
  await page.goto(`${fixture.url}/#/intra-day-large-cap`);
  const scanner = grid(page, 'Top Movers Large Cap');
  await scanner.locator('tr[data-id]').first().waitFor();
  await until('the scanner shows them', async () => stand(await headings(page)));
  const values = async () =>
    (await shownRows(scanner)).map(({ id, cells }) => ({
      id,
      hour: cells['RSI(14) 1h'],
      day: cells['RSI(14) 1D'],
    }));
  await until('both have values', async () =>
    (await values()).some(({ hour, day }) => shownNumber(hour) !== null && shownNumber(day) !== null),
  );
  const before = new Map((await values()).map(({ id, hour }) => [id, hour]));
  await until('an RSI changes', async () =>
    (await values()).some(({ id, hour }) => (before.get(id) ?? hour) !== hour),
  );
  await picture(page, 'indicators', async () =>
    (await values())
      .slice(0, 25)
      .every(({ hour, day }) => shownNumber(hour) !== null && shownNumber(day) !== null),
  );
});

test('a custom scan is built, filters as described, and can be opened again', async () => {
  await page.goto(`${fixture.url}/#/custom-scanner`);
  const scanner = grid(page, 'Custom Scanner');
  await scanner.locator('tr[data-id]').first().waitFor();
  await button(page, 'New scan').click();
  const editor = page.getByRole('dialog', { name: 'New scan' });
  await editor.getByLabel('Say it in words').fill('price above 1 and RSI above 50');
  await page.keyboard.press('Enter');
  await editor.getByRole('button', { name: /^Use/ }).click();
  const count = async (): Promise<number> => {
    const text = (await editor.locator('.preview-count').textContent()) ?? '';
    return shownNumber(/^([\d,]+) (?:of|match|so far)/.exec(text)?.[1]) ?? -1;
  };
  await until('the editor counts stocks before saving', async () => (await count()) > 0);
  await picture(page, 'scan-editor', async () => !((await editor.textContent()) ?? '').includes('so far'));
  await button(editor, 'Save').click();

  const followsTheScan = async (): Promise<boolean> => {
    const rows = await shownRows(scanner);
    const shown = rows.filter(({ cells }) => 'RSI(14) 1D' in cells);
    return (
      shown.length > 0 &&
      shown.every(
        ({ cells }) => (shownNumber(cells.Price) ?? 0) > 1 && (shownNumber(cells['RSI(14) 1D']) ?? 0) > 49.99,
      )
    );
  };
  // Away from the table, where a row that no longer matches would stay in sight.
  await page.mouse.move(5, 5);
  await until('the table shows the stocks that pass the scan', followsTheScan);

  await page.reload();
  await until('the scan filters again', followsTheScan);
});
