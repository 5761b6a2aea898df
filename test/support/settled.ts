import type { Page } from 'playwright-core';

/** Waits until a screen has loaded, with its own text, and none of its tables and panels is loading. */
export async function settled(page: Page, text: RegExp): Promise<void> {
  await page.locator('main').getByText(text).first().waitFor();
  await page.waitForFunction(() => {
    const loading = [...document.querySelectorAll('.loading-overlay, [aria-busy="true"]')];
    return loading.every((element) => !element.checkVisibility());
  });
}
