import { afterAll, beforeAll, expect, test } from 'bun:test';
import { axeOf } from '../support/browser.ts';
import { FED, feed } from '../support/fedMarket.ts';
import { movers } from '../support/fedMovers.ts';
import { hasFocus, hasFocusIn } from '../support/focus.ts';
import { expectQuiet, grid, openStage, picture, type Stage, until } from '../support/stage.ts';

/** Neither the first nor the last row of its scanner. */
const CODE = 'M003';

let stage: Stage;
/** Scripts wait for it. */
let held: Promise<void> = Promise.resolve();
let release = (): void => undefined;
beforeAll(async () => {
  stage = await openStage(FED);
  await feed(stage.url, ...movers(8).map((stock) => ({ ...stock, marketCap: 2e9 })));
});
afterAll(() => stage?.close());

test('Ctrl+K finds a stock’s row from anywhere, by keyboard alone, and the focus comes back', async () => {
  const visitor = await stage.visit('/intra-day-large-cap');
  const { page } = visitor;
  await grid(page, 'Top Movers Large Cap').locator('tr[data-id]').first().waitFor();
  await page.goto(`${stage.url}/#/settings`);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByLabel('Quote site').focus();
  const box = page.getByRole('combobox', { name: 'Symbol, screen or action' });

  await page.keyboard.press('Control+k');
  await box.waitFor();
  expect(await axeOf(page, 'dialog')).toEqual([]);
  await picture(page, 'palette');
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  await hasFocus('Quote site', page.getByLabel('Quote site'));

  await page.keyboard.press('Control+k');
  await hasFocus('the box', box);
  await page.keyboard.type(CODE);
  await page.getByRole('option').filter({ hasText: CODE }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/intra-day-large-cap$/);
  await hasFocus('its row', page.locator(`tr[data-id="${CODE}"]`));
  await page.keyboard.press('Enter');
  await page.locator('.expander[aria-expanded="true"]').waitFor();

  // From its row, a call of the stock; the focus is in the form, and comes back to the page when it is given up.
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Submit Call' });
  await form.waitFor();
  await until('the symbol is filled in', async () => (await form.getByLabel('Symbol').inputValue()) === CODE);
  await until(
    'the price is filled in',
    async () => (await form.getByLabel('Entry Price').inputValue()) !== '',
  );
  await hasFocusIn('the form', form.locator('.dialog-body'));
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });

  // The list of keys has no control: its content has the focus, and the arrow keys scroll it.
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard' });
  await keys.waitFor();
  await hasFocus('the content', keys.locator('.dialog-body'));
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await visitor.context.close();
  expectQuiet(stage, visitor);
});

test('keys that are typed before the first palette opens are in its box, and move nothing on the page', async () => {
  const visitor = await stage.visit('/intra-day-large-cap', {
    first: (context) => context.route('**/*.js', (route) => held.then(() => route.continue())),
  });
  const { page } = visitor;
  await grid(page, 'Top Movers Large Cap').locator('tr[data-id]').first().waitFor();
  held = new Promise((done) => {
    release = done;
  });
  await page.keyboard.press('Control+k');
  // With the focus on no box 1 would lead to another scanner.
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
  await hasFocus('its row', page.locator(`tr[data-id="${CODE}"]`));
  await visitor.context.close();
  expectQuiet(stage, visitor);
});
