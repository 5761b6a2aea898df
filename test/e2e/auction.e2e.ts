import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { AuctionAnswer } from '../../src/domain/charts/auction.ts';
import { surplusFlips } from '../../src/domain/charts/auction.ts';
import { axe } from '../support/browser.ts';
import { expectQuiet, openStage, picture, type Stage, until } from '../support/stage.ts';

const KEY = 'a key of a broker bridge';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ BELLBIRD_SIM_START: '09:30', BELLBIRD_SIM_SPEED: '5', BELLBIRD_INGEST_KEY: KEY });
});
afterAll(() => stage?.close());

const auction = async (code: string): Promise<AuctionAnswer> =>
  (await (await fetch(`${stage.url}/api/data/auction?symbol=${code}`)).json()) as AuctionAnswer;

const send = (line: object) =>
  fetch(`${stage.url}/api/ingest/market`, {
    method: 'POST',
    headers: { authorization: KEY },
    body: JSON.stringify(line),
  });

test('a trader sees how an auction formed since 07:00 and follows it, and which surplus has just changed sides', async () => {
  const visitor = await stage.visit('/pre-market');
  const { page } = visitor;
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/data/auction')) requests.push(request.url());
  });
  const firstRow = page.locator('tr[data-id]').first();
  await firstRow.waitFor();
  const code = (await firstRow.getAttribute('data-id')) ?? '';
  const row = page.locator(`tr[data-id="${code}"]`);
  await row.getByRole('button', { name: `News for ${code}` }).click();
  const drawing = page.getByRole('slider', { name: `Opening auction of ${code}: changes` });
  await drawing.waitFor();

  // From its first change on, though the server started at 09:30.
  const { columns } = await auction(code);
  expect(new Set(columns.time).size).toBe(columns.time.length);
  await drawing.focus();
  await page.keyboard.press('Home');
  const [first] = columns.price;
  expect(await drawing.getAttribute('aria-valuetext')).toContain(`match ${first?.toFixed(3)}`);
  await page.keyboard.press('Escape');
  await picture(page, 'auction', 'readme');

  // What comes next comes by the stream, of a stock that nobody else trades: a surplus on the other side.
  const own = 'QQX';
  await send({ code: own, close: 0.4, match_price: 0.5, match_vol: 1e6, buy_surplus: 4321 });
  const ownRow = page.locator(`tr[data-id="${own}"]`);
  await row.getByRole('button', { name: `News for ${code}` }).click();
  await ownRow.getByRole('button', { name: `News for ${own}` }).click();
  const ownDrawing = page.getByRole('slider', { name: `Opening auction of ${own}: changes` });
  await ownDrawing.waitFor();
  await send({ code: own, buy_surplus: -8765 });
  await until('the drawing has the new surplus', async () =>
    ((await ownDrawing.getAttribute('aria-valuetext')) ?? '').endsWith('surplus −8,765'),
  );
  await ownRow.getByText('Flipped to sellers in the last minute:').waitFor({ state: 'attached' });
  const flips = surplusFlips((await auction(own)).columns.surplus);
  expect(flips.map(({ flip }) => flip)).toEqual([-1]);
  // One for each row that was opened.
  expect(requests.length).toBe(2);
  expect(await axe(page)).toEqual([]);
  await picture(page, 'auction-flipped');
  expectQuiet(stage, visitor);
  await visitor.context.close();
});
