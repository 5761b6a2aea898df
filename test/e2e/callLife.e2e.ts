import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { SubmitterRecord } from '../../src/domain/calls/record.ts';
import { axe } from '../support/browser.ts';
import { expectQuiet, grid, picture, seedSession, type Stage } from '../support/stage.ts';
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
  // Whoever is on top at the click: ranks change as prices move.
  await grid(page, 'Submitter Overview').getByRole('link').first().click();
  const heading = page.getByRole('heading', { level: 1, name: /^Record of / });
  const name = (await heading.textContent())?.slice('Record of '.length) ?? '';
  expect(await page.title()).toBe(`Record of ${name} · Bellbird`);
  const answer = await fetch(`${stage.url}/api/calls/by/${name}`);
  const [record] = ((await answer.json()) as SubmitterRecord).records;
  expect(await page.locator('.result-dots circle').count()).toBe(record?.ended.count ?? -1);
  const bins = await page
    .getByRole('table', { name: 'Distribution' })
    .locator('tbody td.is-number')
    .allTextContents();
  expect(bins.map(Number)).toEqual(record?.ended.distribution ?? []);
  await picture(page, 'submitter-record');
  expect(await axe(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
  expectQuiet(stage, visitor);
});
