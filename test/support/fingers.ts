import type { Page } from 'playwright-core';
import { until } from './stage.ts';

/** What a finger would miss on a page, and what hangs over the edge. */
export const faults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement;
    const wide = root.scrollWidth > root.clientWidth ? ['the page is wider than the screen'] : [];
    const small = [...document.querySelectorAll('main :is(a[href], button, input, select, summary)')]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, p'))
      .flatMap((element) => {
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        return width < 2 || (width >= 39.5 && height >= 39.5) ? [] : [element.outerHTML.slice(0, 90)];
      });
    return [...wide, ...new Set(small)];
  });

/** Waits until the page is as wide as its window, and no wider: after a change of the window it is laid out a step later. */
export const fits = (page: Page, width: number): Promise<void> =>
  until(`the page is ${width} px wide`, () =>
    page.evaluate((wide) => document.documentElement.scrollWidth === wide, width),
  );
