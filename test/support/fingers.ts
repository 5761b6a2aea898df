import type { Page } from 'playwright-core';
import { until } from './stage.ts';

/** Waits until the page is as wide as its window, and no wider: after a change of the window it is laid out a step later. */
export const fits = (page: Page, width: number): Promise<void> =>
  until(`the page is ${width} px wide`, () =>
    page.evaluate((wide) => document.documentElement.scrollWidth === wide, width),
  );
