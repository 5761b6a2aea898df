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

  // What comes next comes by the stream: a surplus on the other side, and back.
  for (const surplus of [4321, -8765]) {
    await send({ code, match_price: 1.5, match_vol: 1000, buy_surplus: surplus });
    const text = surplus > 0 ? '+4,321' : '−8,765';
    await until(`the drawing says ${text}`, async () =>
      (await auction(code)).columns.surplus.includes(surplus)
        ? ((await drawing.getAttribute('aria-valuetext')) ?? '').includes(text)
        : false,
    );
  }
  await row.getByText('Flipped to sellers in the last minute:').waitFor({ state: 'attached' });
  const flips = surplusFlips((await auction(code)).columns.surplus);
  expect(flips.at(-1)?.flip).toBe(-1);
  expect(requests.length).toBe(1);
  expect(await axe(page)).toEqual([]);
  await picture(page, 'auction', 'readme');
  expectQuiet(stage, visitor);
  await visitor.context.close();
});
