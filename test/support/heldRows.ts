import type { Page } from 'playwright-core';

/**
 * What a table's heading counts, and how many rows the table has, without those that lie open below others, at one moment;
 * null while it loads or is not there.
 */
export const counts = (page: Page, title: string): Promise<{ heading: number; rows: number } | null> =>
  page.evaluate((name) => {
    const panel = document.querySelector(`section[aria-label="${name}"]`);
    const table = panel?.querySelector('[role=grid]');
    const heading = /^([\d,]+) stock/.exec(panel?.querySelector('.scanner-count')?.textContent ?? '');
    if (!table || !heading || table.getAttribute('aria-busy') === 'true') return null;
    const open = table.querySelectorAll('[aria-expanded=true]').length;
    const rows = Number(table.getAttribute('aria-rowcount')) - 1 - open;
    return { heading: Number(heading[1]?.replaceAll(',', '')), rows };
  }, title);

let at = 0;
/** Moves the pointer a little among the rows at that height, to another place than the last one. */
export async function move(page: Page, y: number): Promise<void> {
  at += 1;
  await page.mouse.move(500 + (at % 40), y);
}
