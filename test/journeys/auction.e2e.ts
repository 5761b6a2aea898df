import { expect, test } from 'bun:test';
import { type AuctionAnswer, surplusFlips } from '#market/auctions/rules/auction.ts';
import { axe } from '../support/browser.ts';
import { FED, feed } from '../support/fedMarket.ts';
import {
  expectMoving,
  grid,
  openFixture,
  openVisit,
  picture,
  shownNumber,
  shownRows,
  until,
} from '../support/fixture.ts';

/** A stock that no other test trades. */
const OWN = 'QQX';

const { fixture, page } = await openVisit(
  openFixture({ BELLBIRD_SIM_START: '09:52', BELLBIRD_INGEST_KEY: FED.BELLBIRD_INGEST_KEY }),
  '/pre-market',
);

const auction = async (code: string): Promise<AuctionAnswer> =>
  (await (await fetch(`${fixture.url}/api/data/auction?symbol=${code}`)).json()) as AuctionAnswer;

/** A broker bridge’s values for the stock, in addition to the simulated market. */
const send = (figures: object): Promise<void> =>
  feed(fixture.url, { code: OWN, status: 'Pre Open', securityType: 'stock', ...figures });

test('Live Pre-Open moves before the open, and contains only positive gaps below $1', async () => {
  await send({ close: 0.4, match_price: 0.5, match_vol: 1e6, buy_surplus: 4321 });
  const table = grid(page, 'Live Pre-Open');
  await expectMoving(table);
  // A row that leaves shows its new figures for a moment first.
  await until('each row has a positive gap, a price below $1 and a value of $5,000', async () =>
    (await shownRows(table)).every(
      ({ cells }) =>
        (shownNumber(cells['Gap %']) ?? -1) >= 0 &&
        (shownNumber(cells.Match) ?? 1) < 1 &&
        (shownNumber(cells['Match Value']) ?? 0) >= 5000,
    ),
  );
  await page.getByText('Pre-Open', { exact: true }).first().waitFor();
  expect(await grid(page, 'Pre-Open Snapshot').count()).toBe(0);
  await picture(page, 'pre-market');
  await page.locator(`tr[data-id="${OWN}"]`).waitFor();
});

test('a trader follows how an auction forms since 07:00, and sees which surplus has just flipped', async () => {
  const code = (await shownRows(grid(page, 'Live Pre-Open'))).find(({ id }) => id !== OWN)?.id ?? '';
  const row = page.locator(`tr[data-id="${code}"]`);
  await row.getByRole('button', { name: `News for ${code}` }).click();
  const drawing = page.getByRole('slider', { name: `Opening auction of ${code}: changes` });
  await drawing.waitFor();

  // From its first change on, though the server started at 09:52.
  const { columns } = await auction(code);
  expect(new Set(columns.time).size).toBe(columns.time.length);
  await drawing.focus();
  await page.keyboard.press('Home');
  const [first] = columns.price;
  await until('the first change is listed', async () =>
    ((await drawing.getAttribute('aria-valuetext')) ?? '').includes(`match ${first?.toFixed(3)}`),
  );
  await page.keyboard.press('Escape');
  await picture(page, 'auction');

  // The next value arrives over the stream: a surplus on the other side.
  const ownRow = page.locator(`tr[data-id="${OWN}"]`);
  await row.getByRole('button', { name: `News for ${code}` }).click();
  await ownRow.getByRole('button', { name: `News for ${OWN}` }).click();
  const ownDrawing = page.getByRole('slider', { name: `Opening auction of ${OWN}: changes` });
  await ownDrawing.waitFor();
  await send({ buy_surplus: -8765 });
  await until('the drawing shows the new surplus', async () =>
    ((await ownDrawing.getAttribute('aria-valuetext')) ?? '').endsWith('surplus −8,765'),
  );
  await ownRow.getByText('Flipped to sellers in the last minute:').waitFor({ state: 'attached' });
  const flips = surplusFlips((await auction(OWN)).columns);
  expect(flips.map(({ flip }) => flip)).toEqual([-1]);
  expect(await axe(page)).toEqual([]);
});
