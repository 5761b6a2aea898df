import { afterAll, expect, test } from 'bun:test';
import { movers } from '../support/fedMovers.ts';
import { hasFocus } from '../support/focus.ts';
import { expectQuiet, grid, openFedFixture } from '../support/fixture.ts';

/** Neither the first nor the last row of its scanner. */
const CODE = 'M003';

/** Delays the scripts. */
let held: Promise<void> = Promise.resolve();
let release = (): void => undefined;
const fed = await openFedFixture(movers(8).map((stock) => ({ ...stock, marketCap: 2e9 })));
afterAll(() => fed.close());

test('keys typed before the first palette opens go to its field, and change nothing on the page', async () => {
  const visitor = await fed.visit('/intra-day-large-cap', {
    first: (context) => context.route('**/*.js', (route) => held.then(() => route.continue())),
  });
  const { page } = visitor;
  await grid(page, 'Top Movers Large Cap').locator('tr[data-id]').first().waitFor();
  held = new Promise((done) => {
    release = done;
  });
  await page.keyboard.press('Control+k');
  // Outside a field, 1 would open another scanner.
  await page.keyboard.type(`1${CODE.slice(0, 2)}`);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(CODE.slice(0, 2));
  release();
  const box = page.getByRole('combobox', { name: 'Symbol, screen or action' });
  await hasFocus('the box', box);
  await page.keyboard.type(CODE.slice(2));
  expect(await box.inputValue()).toBe(CODE);
  expect(page.url()).toContain('#/intra-day-large-cap');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Selected stock' }).getByText(CODE).first().waitFor();
  await visitor.context.close();
  expectQuiet(fed, visitor);
});
