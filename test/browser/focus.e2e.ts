import { afterAll, beforeAll, describe, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { button, region } from '../support/configurator.ts';
import { hasFocus } from '../support/focus.ts';
import { endQuietly, grid, type Stage, until, type Visitor } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  stage = await openTradingStage();
  visitor = await stage.visit('/custom-scanner', { as: 'admin-focus' });
  page = visitor.page;
});
afterAll(() => endQuietly(stage, visitor));

const isGone = (dialog: Locator): Promise<void> => dialog.waitFor({ state: 'detached' });
const search = (): Locator => page.getByRole('searchbox');

/* Each is opened by the mouse, and once more by the keyboard. */

const byClick = (opener: Locator): Promise<void> => opener.click();
async function byEnter(opener: Locator): Promise<void> {
  await until('it can be pressed', () => opener.isEnabled());
  await opener.press('Enter');
}

describe('the focus goes back to where a dialog was opened from', () => {
  test('the scan editor, and the picker inside it', async () => {
    await page.goto(`${stage.url}/#/custom-scanner`);
    await grid(page, 'Custom Scanner').locator('tr[data-id]').first().waitFor();
    const opener = button(page, 'New scan');
    const editor = page.getByRole('dialog', { name: 'New scan' });
    await byClick(opener);
    await hasFocus('the name', editor.getByLabel('Name', { exact: true }));
    await page.keyboard.press('Escape');
    await isGone(editor);
    await hasFocus('New scan', opener);

    await byEnter(opener);
    await hasFocus('the name', editor.getByLabel('Name', { exact: true }));
    const side = editor.getByLabel('Compared with');
    await side.focus();
    await side.selectOption('pick');
    await hasFocus('the search box', search());
    await page.keyboard.press('Escape');
    await isGone(search());
    await hasFocus('the side of the condition', side);

    await side.selectOption('pick');
    await search().fill('ema');
    await page.keyboard.press('Enter');
    const parameters = page.getByRole('dialog', { name: 'Exponential Moving Average' });
    await button(parameters, 'Back').click();
    await hasFocus('the search box, after Back', search());
    await page.keyboard.press('Enter');
    await button(parameters, 'Save').click();
    await isGone(parameters);
    await hasFocus('the side of the condition', side);

    await editor.getByLabel('Name', { exact: true }).fill('Above its average');
    await button(editor, 'Save').click();
    await isGone(editor);
    await hasFocus('New scan', opener);
  });

  test('the picker and the parameters of the columns configurator', async () => {
    await page.goto(`${stage.url}/#/settings`);
    const opener = button(region(page, 'Intra-day < $1'), 'Add Indicator');
    await byClick(opener);
    await hasFocus('the search box', search());
    await page.keyboard.press('Escape');
    await isGone(search());
    await hasFocus('Add Indicator', opener);

    await byEnter(opener);
    await hasFocus('the search box', search());
    await search().fill('ema');
    await page.keyboard.press('Enter');
    const parameters = page.getByRole('dialog', { name: 'Exponential Moving Average' });
    await button(parameters, 'Cancel').click();
    await isGone(parameters);
    await hasFocus('Add Indicator', opener);
  });

  test('the dialogs of the Calls page', async () => {
    await page.goto(`${stage.url}/#/calls`);
    for (const [name, content] of [
      ['Add Call', page.getByRole('combobox', { name: 'Symbol' })],
      ['Manage My Calls', page.locator('.my-calls-content')],
    ] as const) {
      const opener = button(page, name);
      for (const open of [byClick, byEnter]) {
        await open(opener);
        await page.getByRole('dialog').waitFor();
        await hasFocus(`the content of ${name}`, content);
        await page.keyboard.press('Escape');
        await isGone(page.getByRole('dialog'));
        await hasFocus(name, opener);
      }
    }
  });

  test('the correction of a call', async () => {
    await page.goto(`${stage.url}/#/calls`);
    const opener = grid(page, 'Recent Calls')
      .getByRole('button', { name: /^Correct / })
      .first();
    await until('the board is there', async () => {
      await button(page, 'Refresh').click();
      return (await opener.count()) > 0;
    });
    await byClick(opener);
    const dialog = page.getByRole('dialog', { name: /^Correct / });
    await hasFocus('the first mark', dialog.getByLabel('Entry trade'));
    await page.keyboard.press('Escape');
    await isGone(dialog);
    await hasFocus('Correct', opener);

    await byEnter(opener);
    await hasFocus('the first mark', dialog.getByLabel('Entry trade'));
    await dialog.getByLabel('Best price').fill('9.99');
    await dialog.getByLabel('Reason').fill('A bad print.');
    await button(dialog, 'Save').click();
    await isGone(dialog);
    await hasFocus('Correct, after saving', opener);
  });
});
