import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectQuiet, openFixture, until } from '../support/fixture.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const fixture = await openFixture({ BELLBIRD_SIM_START: '12:10' });
afterAll(() => fixture.close());

/** Opens the first row. @returns its stock's code, once its chart is drawn */
async function openFirstRow(page: Page): Promise<string> {
  await page.locator('tr[data-id] .expander').first().click();
  const panel = page.getByRole('region', { name: /^Chart of / });
  await panel.waitFor();
  await page.locator('.price-chart-canvas[data-drawn]').waitFor();
  return ((await panel.getAttribute('aria-label')) ?? '').replace('Chart of ', '');
}

test('on a phone a finger scrolls the page, pinches and sideways moves change the chart, and a tap offers an alert', async () => {
  const fingers = await fixture.visit('/intra-day-large-cap', { as: 'fingers-premium', browser: PHONE });
  const { page } = fingers;
  const code = await openFirstRow(page);
  await page.locator('.news-row').waitFor();
  const canvas = await page.locator('.price-chart-canvas').boundingBox();
  const touch = await page.context().newCDPSession(page);
  const scroller = page.locator('.table-scroll').first();
  const scrolled = () => scroller.evaluate((element) => element.scrollTop);
  const x = (canvas?.x ?? 0) + 100;
  const y = (canvas?.y ?? 0) + (canvas?.height ?? 0) / 2;
  // In quick succession: a finger that rests for half a second, as on a busy machine, presses and no longer scrolls.
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
  // The page may scroll on for a while after the finger.
  await until('it is at the top', () =>
    scroller.evaluate(async (element) => {
      element.scrollTo(0, 0);
      for (let frames = 0; frames < 5; frames += 1) await new Promise(requestAnimationFrame);
      return element.scrollTop === 0;
    }),
  );

  const box = await page.locator('.price-chart-canvas').boundingBox();
  const [left, top] = [box?.x ?? 0, box?.y ?? 0];
  const offered = page.getByRole('button', { name: /^Alert me: / });
  // A pinch zooms and a sideways finger moves the chart, and neither shows the pointer.
  const pixels = () => page.locator('.price-chart-canvas').screenshot();
  const gesture = async (at: (step: number) => { x: number; y: number }[]) => {
    const before = await pixels();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let step = 1; step <= 10; step += 1) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await until('the chart has changed', async () => !(await pixels()).equals(before));
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
  await offered.tap();
  await page.getByText(`Alert set: ${code} `).waitFor();
  await fingers.context.close();
  expectQuiet(fixture, fingers);
});
