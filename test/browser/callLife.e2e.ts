import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { SubmitterRecord } from '../../src/subjects/calls/rules/record.ts';
import { axe } from '../support/browser.ts';
import { fits } from '../support/fingers.ts';
import { expectQuiet, grid, picture, seedSession, type Stage, until } from '../support/stage.ts';
import { openTradingStage } from '../support/tradingStage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openTradingStage();
  await seedSession(stage.url, 'demo');
});
afterAll(() => stage?.close());

test('a visitor opens a call’s path from the board, and a submitter’s record, and both by their addresses', async () => {
  const visitor = await stage.visit('/calls', { as: null });
  const { page } = visitor;
  const recent = grid(page, 'Recent Calls');
  // One that is over has a life from its posting to its result; among the newest all may go on.
  await recent.getByRole('columnheader', { name: 'Submitted' }).getByRole('button').first().click();
  await recent
    .locator('tr[data-id]')
    .filter({ hasText: 'Closed' })
    .first()
    .getByRole('button', { name: /^Details of/ })
    .click();
  await page.locator('.recent-detail .price-chart-canvas[data-drawn]').waitFor();
  await page.getByText('Verified result', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open this call as a page' }).click();
  await page.getByRole('heading', { level: 1, name: / call$/ }).waitFor();
  await page.locator('.call-life .price-chart-canvas[data-drawn]').waitFor();
  await picture(page, 'call', 'readme');
  expect(await axe(page)).toEqual([]);

  await page.goto(`${stage.url}/#/calls`);
  const answered = page.waitForResponse((response) => response.url().includes('/api/calls/by/'));
  // Anyone who is on top at the click: ranks change as prices move.
  await grid(page, 'Submitter Overview').getByRole('link').first().click();
  const heading = page.getByRole('heading', { level: 1, name: /^Record of / });
  const name = (await heading.textContent())?.slice('Record of '.length) ?? '';
  await until('the title names it', async () => (await page.title()) === `Record of ${name} · Bellbird`);
  // What the page itself was told: another call may end at any time.
  const [record] = ((await (await answered).json()) as SubmitterRecord).records;
  const dots = page.locator('.result-dots circle');
  await until('a dot for each result', async () => (await dots.count()) === record?.ended.count);
  const bins = page.getByRole('table', { name: 'Distribution' }).locator('tbody td.is-number');
  expect((await bins.allTextContents()).map(Number)).toEqual(record?.ended.distribution ?? []);
  await picture(page, 'submitter-record');
  expect(await axe(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await fits(page, 390);
  expectQuiet(stage, visitor);
});
