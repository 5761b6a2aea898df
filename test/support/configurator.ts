import type { Locator, Page } from 'playwright-core';
import { until } from './fixture.ts';

/** The configurator of one table, or another named region of the page. */
export const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

export const button = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('button', { name, exact: true });

export const chipNames = (table: Locator): Promise<string[]> =>
  table
    .locator('.chip')
    .evaluateAll((chips) => chips.map((chip) => chip.querySelector('.chip-name')?.textContent ?? ''));

/** Saves a configurator’s columns and waits for the result. */
export async function save(table: Locator): Promise<void> {
  await button(table, 'Save').click();
  await until(
    'the columns are saved',
    async () =>
      (await button(table, 'Save').isDisabled()) && !(await table.getByText('Not saved').isVisible()),
  );
}

/** Chooses an indicator in the open picker on the given timeframes instead of the proposed one; the parameters stay open. */
export async function addIndicator(page: Page, search: string, timeframes: readonly string[]): Promise<void> {
  await page.getByRole('searchbox').fill(search);
  await page.keyboard.press('Enter');
  const timeframe = page.getByRole('dialog').getByLabel('Timeframe', { exact: true });
  for (const label of timeframes) await timeframe.selectOption({ label });
}
