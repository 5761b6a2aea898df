import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { axe, axeInBothThemes } from '../support/browser.ts';
import { standingClock } from '../support/clockedStage.ts';
import { type FakeTelegram, startFakeTelegram } from '../support/fakeTelegram.ts';
import { fits } from '../support/fingers.ts';
import { openSmallExchange, type SmallExchange } from '../support/smallExchange.ts';
import { expectQuiet, picture, seedSession, type Stage, until, type Visitor } from '../support/stage.ts';

const CHAT = 4712;
const NAME = 'Consumer Price Index (YoY)';
const DATE = '2026-11-19';
const EVENT = fromSydney(DATE, 10, 30);
const FIVE_BEFORE = EVENT - 5 * 60_000;

/** An event that the calendar's source soon asks about, so that it looks every second or two. */
const asked = (id: string, time: number) => ({
  ...{ id, dateUtc: new Date(time).toISOString(), name: `Survey ${id}` },
  ...{ countryCode: 'US', currencyCode: 'USD', volatility: 'MEDIUM', consensus: 1 },
});

// The time is what the story makes it: just before the five minutes, just after them, and just after the event.
const clock = standingClock(FIVE_BEFORE - 2000);
let telegram: FakeTelegram;
let exchange: SmallExchange | undefined;
let stage: Stage;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  telegram = startFakeTelegram();
  const env = { BELLBIRD_TELEGRAM_URL: telegram.url, BELLBIRD_TELEGRAM_TOKEN: telegram.token };
  const event = { countryCode: 'AU', currencyCode: 'AUD', volatility: 'HIGH', consensus: 3.2, unit: '%' };
  const cpi = { ...event, id: 'cpi', dateUtc: new Date(EVENT).toISOString(), name: NAME };
  exchange = await openSmallExchange({
    env: { ...env, BELLBIRD_PUBLIC_URL: 'http://127.0.0.1' },
    wall: clock,
    events: [cpi, asked('first', FIVE_BEFORE), asked('second', FIVE_BEFORE + 3000)],
  });
  ({ stage } = exchange);
  exchange.fxstreet.putAt(FIVE_BEFORE, { ...asked('first', FIVE_BEFORE), actual: 2 });
  exchange.fxstreet.putAt(EVENT, { ...cpi, actual: 3.4 });
  visitor = await stage.visit('/pre-market');
  ({ page } = visitor);
});
afterAll(async () => {
  await exchange?.close();
  await telegram?.stop();
});

/** Links a chat of the user whom the stage signs in. */
async function linkChat(username: string): Promise<void> {
  telegram.say(CHAT, '/link');
  await until('the bot answers', () => telegram.sent(CHAT).length > 0);
  const [link] = telegram.sent(CHAT)[0]?.entities.filter(({ type }) => type === 'text_link') ?? [];
  const token = new URLSearchParams(link?.url?.split('?')[1]).get('linkToken');
  const { accessToken } = await seedSession(stage.url, username);
  const response = await fetch(`${stage.url}/api/link/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: accessToken },
    body: JSON.stringify({ token }),
  });
  expect(response.status).toBe(200);
}

/** Notes the actual figures of the story's event that are tinted from now on; another event has its figure earlier. */
const countFlashes = (page: Page): Promise<void> =>
  page.evaluate((name) => {
    const seen: string[] = [];
    Object.assign(window, { flashes: seen });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const isNew = target instanceof HTMLElement && target.matches('.cal-actual.is-new');
        if (isNew && target.closest('tr')?.textContent.includes(name) === true) seen.push(target.innerText);
      }
    }).observe(document.body, { subtree: true, attributeFilter: ['class'] });
  }, NAME);
const flashesOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { flashes: string[] }).flashes);

test('from the note in the strip to the reminder and the figure in a chat', async () => {
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
  await countFlashes(page);
  await row.getByRole('button', { name: `Reminders of ${NAME}` }).click();
  await page.getByRole('switch', { name: `Alert me 5 minutes before: ${NAME}` }).check();
  await page.getByRole('switch', { name: `Alert me when the figure is out: ${NAME}` }).check();
  await page.getByRole('button', { name: `Reminders of ${NAME}, set` }).waitFor();
  expect(await axe(page)).toEqual([]);
  await picture(page, 'calendar-reminder');

  const told = () => telegram.sent(CHAT).filter(({ text }) => text.includes(NAME));
  expect(told()).toEqual([]);
  clock.goTo(FIVE_BEFORE + 1000);
  await until('the chat is told before the event', () => told().length >= 1);
  expect(await flashesOn(page)).toEqual([]);
  clock.goTo(EVENT + 1000);
  await until('the figure arrives on the page', async () => (await flashesOn(page)).length > 0);
  await until('the chat is told the figure', () => told().length >= 2);
  expect(told().every(({ text }) => text.includes('FXStreet'))).toBe(true);
  const over = page.locator('tr[data-past]', { hasText: NAME });
  await over.waitFor();
  expect(await over.locator('.cal-actual').innerText()).toMatch(/\d/);
  await page.getByText('This event is over.').waitFor();
  expectQuiet(stage, visitor);
});

type Shown = { date: string; time: string };

/** The chosen tab, how many events it counts, the table's name and its rows, all at one moment. */
const shownDay = (page: Page) =>
  page.evaluate(() => {
    const tab = document.querySelector('[role=tab][aria-selected=true]');
    return {
      tab: tab?.textContent.trim() ?? '',
      count: Number(tab?.querySelector('.day-count')?.textContent),
      label: document.querySelector('.event-table')?.getAttribute('aria-label') ?? '',
      rows: [...document.querySelectorAll<HTMLElement>('tr[data-id]')].map((line) => [
        line.dataset.id ?? '',
        line.querySelector('.cal-time')?.textContent ?? '',
      ]),
    };
  });

/** By id of the events of all three days: the date and time that the page gives them. */
async function shownTimes(page: Page): Promise<Map<string, Shown>> {
  const times = new Map<string, Shown>();
  await page.locator('tr[data-id]').first().waitFor();
  for (const name of ['Yesterday', 'Today', 'Tomorrow']) {
    const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) });
    await tab.click();
    let shown = await shownDay(page);
    await until(`the events of ${name} are shown`, async () => {
      shown = await shownDay(page);
      return shown.tab.startsWith(name) && shown.count === shown.rows.length;
    });
    const day = / (\d{1,2} \w+ \d{4})$/.exec(shown.label)?.[1];
    const date = day === undefined ? '' : new Date(`${day} UTC`).toISOString().slice(0, 10);
    for (const [id = '', time = ''] of shown.rows)
      times.set(id, { date, time: time.replace(/^~?about |^~/, '') });
  }
  return times;
}

const inZone = (time: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(time);

const zones = ['Australia/Sydney', 'Pacific/Honolulu', 'Europe/London'] as const;

const zoneBox = (one: Page) => one.getByRole('combobox', { name: 'Time zone' });
const hasZone = (one: Page, zone: string): Promise<void> =>
  until(`the zone is ${zone}`, async () => (await zoneBox(one).inputValue()) === zone);

test('in three time zones every event has its date and time there; one that is chosen is kept over a reload', async () => {
  const [here, browsers, chosen] = zones;
  await hasZone(page, here);
  const shown = new Map([[here as string, await shownTimes(page)]]);
  await picture(page, 'calendar-Sydney');

  const elsewhere = await stage.visit('/fx-news', { browser: { timezoneId: browsers } });
  await hasZone(elsewhere.page, browsers);
  shown.set(browsers, await shownTimes(elsewhere.page));
  await picture(elsewhere.page, 'calendar-Honolulu');

  await elsewhere.page.keyboard.press('/');
  await elsewhere.page.keyboard.type('london');
  await elsewhere.page.getByRole('option', { name: /Europe\/London/ }).waitFor();
  await elsewhere.page.keyboard.press('ArrowDown');
  await elsewhere.page.keyboard.press('Enter');
  await hasZone(elsewhere.page, chosen);
  await elsewhere.page.reload();
  await hasZone(elsewhere.page, chosen);
  shown.set(chosen, await shownTimes(elsewhere.page));
  await picture(elsewhere.page, 'calendar-London');
  await elsewhere.context.close();
  expectQuiet(stage, visitor, elsewhere);
  const sydney = [...(shown.get(zones[0]) ?? [])].filter(([, { time }]) => time.includes(':'));
  expect(sydney.length).toBeGreaterThan(8);
  for (const zone of zones) {
    const there = shown.get(zone) ?? new Map<string, Shown>();
    const both = sydney.filter(([id]) => there.has(id));
    expect(both.length).toBeGreaterThan(4);
    for (const [id, { date, time }] of both) {
      const [hour = 0, minute = 0] = time.split(':').map(Number);
      const found = there.get(id);
      expect(`${found?.date} ${found?.time}`).toBe(inZone(fromSydney(date, hour, minute), zone));
    }
  }
});

test('fits a desk, a tablet and a phone in both themes', async () => {
  await page.getByRole('tab', { name: /^Tomorrow/ }).click();
  await page.getByRole('tab', { name: /^Tomorrow/, selected: true }).waitFor();
  await page.locator('tr[data-id] .event-button').first().click();
  await page.locator('.event-panel').waitFor();
  for (const [name, width, height] of [
    ['desk', 1440, 900],
    ['tablet', 800, 900],
    ['phone', 390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await fits(page, width);
    await until(`the screen is ${width} px wide`, async () =>
      page.evaluate((wide) => document.querySelector('main')?.scrollWidth === wide, width),
    );
    const found = await axeInBothThemes(page, (theme) => picture(page, `calendar-${name}-${theme}`));
    expect(found).toEqual([]);
  }
  expectQuiet(stage, visitor);
});
