import type { Page } from 'playwright-core';
import { until } from './fixture.ts';

/** Waits until the page is exactly as wide as its window, because it is laid out a step after a change of the window. */
export const fits = (page: Page, width: number): Promise<void> =>
  until(`the page is ${width} px wide`, () =>
    page.evaluate((wide) => document.documentElement.scrollWidth === wide, width),
  );
