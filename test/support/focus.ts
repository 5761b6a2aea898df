import type { Locator, Page } from 'playwright-core';
import { until } from './fixture.ts';

/** Waits until an element has the focus, which a dialog moves a step after it opens or closes. @param what names it if it never has the focus */
export const hasFocus = (what: string, element: Locator): Promise<void> =>
  until(`${what} has the focus`, () => element.evaluate((node) => node === document.activeElement));

/** The same for an element, or anything inside it. */
export const hasFocusIn = (what: string, element: Locator): Promise<void> =>
  until(`${what} has the focus`, () => element.evaluate((node) => node.contains(document.activeElement)));

/** The id of the table row that has or contains the focus; empty if none does. */
const focusedRow = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('data-id') ?? '');

/** Presses a key that moves to another row. @returns that row’s id */
export async function nextRow(page: Page, key: string): Promise<string> {
  const before = await focusedRow(page);
  await page.keyboard.press(key);
  let id = '';
  await until('another row has the focus', async () => {
    id = await focusedRow(page);
    return id !== '' && id !== before;
  });
  return id;
}
