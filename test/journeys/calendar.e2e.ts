import { afterAll, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import { axe } from '../support/browser.ts';
import { fixedClock } from '../support/clockedFixture.ts';
import { startFakeTelegram } from '../support/fakeTelegram.ts';
import { openSmallExchange } from '../support/smallExchange.ts';
import { expectQuiet, seedSession, until } from '../support/fixture.ts';

const CHAT = 4712;
const NAME = 'Consumer Price Index (YoY)';
const DATE = '2026-11-19';
const EVENT = fromSydney(DATE, 10, 30);
const FIVE_BEFORE = EVENT - 5 * 60_000;

/** An event that is due soon, so the calendar polls its source every second or two. */
const asked = (id: string, time: number) => ({
  id,
  dateUtc: new Date(time).toISOString(),
  name: `Survey ${id}`,
  countryCode: 'US',
  currencyCode: 'USD',
  volatility: 'MEDIUM',
  consensus: 1,
});

// The test sets the time: just before the five minutes, just after them, and just after the event.
const clock = fixedClock(FIVE_BEFORE - 2000);
const telegram = startFakeTelegram();
const env = { BELLBIRD_TELEGRAM_URL: telegram.url, BELLBIRD_TELEGRAM_TOKEN: telegram.token };
const event = { countryCode: 'AU', currencyCode: 'AUD', volatility: 'HIGH', consensus: 3.2, unit: '%' };
const cpi = { ...event, id: 'cpi', dateUtc: new Date(EVENT).toISOString(), name: NAME };
const { fixture, fxstreet, close } = await openSmallExchange({
  env: { ...env, BELLBIRD_PUBLIC_URL: 'http://127.0.0.1' },
  wall: clock,
  events: [cpi, asked('first', FIVE_BEFORE), asked('second', FIVE_BEFORE + 3000)],
});
afterAll(async () => {
  await close();
  await telegram.stop();
});
fxstreet.putAt(FIVE_BEFORE, { ...asked('first', FIVE_BEFORE), actual: 2 });
fxstreet.putAt(EVENT, { ...cpi, actual: 3.4 });

/** Links a chat of the signed-in user. */
async function linkChat(username: string): Promise<void> {
  telegram.write(CHAT, '/link');
  await until('the bot answers', () => telegram.sent(CHAT).length > 0);
  const [link] = telegram.sent(CHAT)[0]?.entities.filter(({ type }) => type === 'text_link') ?? [];
  const token = new URLSearchParams(link?.url?.split('?')[1]).get('linkToken');
  const { accessToken } = await seedSession(fixture.url, username);
  const response = await fetch(`${fixture.url}/api/link/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: accessToken },
    body: JSON.stringify({ token }),
  });
  expect(response.status).toBe(200);
}

test('a user follows an event from the summary bar to the reminder and the figure in a chat', async () => {
  const visitor = await fixture.visit('/pre-market');
  const { page } = visitor;
  await linkChat('premium');
  const note = page.locator('.strip .soon-note');
  await note.waitFor();
  expect(await note.locator('.soon-name').innerText()).toBe(NAME);
  await note.hover();
  expect(await page.getByRole('tooltip').innerText()).toStartWith(`10:30 Sydney: ${NAME}`);
  await note.click();

  const row = page.locator('tr[data-id]', { hasText: NAME });
  await row.waitFor();
  expect(await row.locator('.cal-time').innerText()).toBe('10:30');
  await row.getByRole('button', { name: `Alert me 5 minutes before: ${NAME}` }).click();
  await page.getByRole('button', { name: `Reminders of ${NAME}, set` }).waitFor();
  await page.getByRole('button', { name: 'Change…' }).click();
  await page.getByRole('switch', { name: `Alert me when the figure is out: ${NAME}` }).check();
  expect(await axe(page)).toEqual([]);

  const reminders = () => telegram.sent(CHAT).filter(({ text }) => text.includes(NAME));
  expect(reminders()).toEqual([]);
  clock.goTo(FIVE_BEFORE + 1000);
  await until('the chat receives the reminder', () => reminders().length >= 1);
  clock.goTo(EVENT + 1000);
  await until('the chat receives the figure', () => reminders().length >= 2);
  expect(reminders().every(({ text }) => text.includes('FXStreet'))).toBe(true);
  const over = page.locator('tr[data-past]', { hasText: NAME });
  await over.waitFor();
  expect(await over.locator('.cal-actual').innerText()).toMatch(/\d/);
  await page.getByText('This event is over.').waitFor();
  expectQuiet(fixture, visitor);
});
