import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { fromSydney } from '../../src/domain/market/sydneyTime.ts';
import { axe, axeInBothThemes } from '../support/browser.ts';
import type { FakeTelegram } from '../support/fakeTelegram.ts';
import { expectQuiet, picture, seedSession, type Stage, until } from '../support/stage.ts';
import { openTelegramStage, type TelegramStage } from '../support/telegramStage.ts';

const CHAT = 4712;

let opened: TelegramStage | undefined;
let telegram: FakeTelegram;
let stage: Stage;

// Every day of the simulated calendar has an event of HIGH impact for AUD at 10:30; until then there are 30 s.
beforeAll(async () => {
  opened = await openTelegramStage({ BELLBIRD_SIM_START: '10:20', BELLBIRD_SIM_SPEED: '20' });
  ({ stage, telegram } = opened);
});
afterAll(() => opened?.close());

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

/** The actual figures that were tinted since the page was opened, as they were tinted. */
const countFlashes = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { flashes: seen });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (target instanceof HTMLElement && target.matches('.cal-actual.is-new')) {
          seen.push(target.textContent ?? '');
        }
      }
    }).observe(document.body, { subtree: true, attributeFilter: ['class'] });
  });
const flashesOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { flashes: string[] }).flashes);

test('from the note in the strip to the reminder and the figure in a chat', async () => {
  await linkChat('premium');
  const visitor = await stage.visit('/pre-market', { browser: { timezoneId: 'Australia/Sydney' } });
  const { page } = visitor;
  const note = page.locator('.strip .soon-note');
  await note.waitFor();
  const name = await note.locator('.soon-name').innerText();
  await note.hover();
  expect(await page.getByRole('tooltip').innerText()).toStartWith(`10:30 Sydney: ${name}`);
  await note.click();

  const row = page.locator('tr[data-next]', { hasText: name });
  await row.waitFor();
  expect(await row.locator('.cal-time').innerText()).toBe('10:30');
  await countFlashes(page);
  await row.getByRole('button', { name: `Reminders of ${name}` }).click();
  await page.getByRole('switch', { name: `Alert me 5 minutes before: ${name}` }).check();
  await page.getByRole('switch', { name: `Alert me when the figure is out: ${name}` }).check();
  await page.getByRole('button', { name: `Reminders of ${name}, set` }).waitFor();
  expect(await axe(page)).toEqual([]);
  await picture(page, 'calendar-reminder');

  const told = () => telegram.sent(CHAT).filter(({ text }) => text.includes(name));
  await until('the chat is told before the event', () => told().length >= 1);
  await until('the figure arrives on the page', async () => (await flashesOn(page)).length > 0);
  await until('the chat is told the figure', () => told().length >= 2);
  expect(told().every(({ text }) => text.includes('Simulated'))).toBe(true);
  const over = page.locator('tr[data-past]', { hasText: name });
  await over.waitFor();
  expect(await over.locator('.cal-actual').innerText()).toMatch(/\d/);
  expect(await page.getByText('This event is over.').count()).toBe(1);
  await page
    .getByText(new RegExp(`^AU .*${name.replaceAll(/[()]/g, '.')}.*: `))
    .waitFor({ state: 'attached' });
  await visitor.context.close();
  expectQuiet(stage, visitor);
}, 180_000);

type Shown = { date: string; time: string };

/** By id of the events of all three days: the date and time that the page gives them. */
async function shownTimes(page: Page): Promise<Map<string, Shown>> {
  const times = new Map<string, Shown>();
  await page.locator('tr[data-id]').first().waitFor();
  for (const name of ['Yesterday', 'Today', 'Tomorrow']) {
    const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) });
    await tab.click();
    const shown = await page.evaluate(() => ({
      label: document.querySelector('.event-table')?.getAttribute('aria-label') ?? '',
      rows: [...document.querySelectorAll<HTMLElement>('tr[data-id]')].map((line) => [
        line.dataset.id ?? '',
        line.querySelector('.cal-time')?.textContent ?? '',
      ]),
    }));
    expect(await tab.locator('.day-count').innerText()).toBe(String(shown.rows.length));
    const day = / (\d{1,2} \w+ \d{4})$/.exec(shown.label)?.[1];
    const date = day === undefined ? '' : new Date(`${day} UTC`).toISOString().slice(0, 10);
    for (const [id = '', time = ''] of shown.rows)
      times.set(id, { date, time: time.replace(/^~?about |^~/, '') });
  }
  return times;
}

const inZone = (time: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(time);

describe('in three time zones', () => {
  const zones = ['Australia/Sydney', 'Pacific/Honolulu', 'Europe/London'] as const;

  test('every event has its date and time there', async () => {
    const shown = new Map<string, Map<string, Shown>>();
    for (const timezoneId of zones) {
      const visitor = await stage.visit('/fx-news', { browser: { timezoneId } });
      const box = visitor.page.getByRole('combobox', { name: 'Time zone' });
      await box.waitFor();
      expect(await box.inputValue()).toBe(timezoneId);
      shown.set(timezoneId, await shownTimes(visitor.page));
      await picture(visitor.page, `calendar-${timezoneId.split('/')[1]}`);
      await visitor.context.close();
      expectQuiet(stage, visitor);
    }
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

  test('a zone that is chosen by keyboard is kept over a reload', async () => {
    const visitor = await stage.visit('/fx-news', { browser: { timezoneId: 'Australia/Sydney' } });
    const { page } = visitor;
    await page.locator('tr[data-id]').first().waitFor();
    const box = page.getByRole('combobox', { name: 'Time zone' });
    await page.keyboard.press('/');
    await page.keyboard.type('new york');
    await page.getByRole('option', { name: /America\/New York/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until('the zone is chosen', async () => (await box.inputValue()) === 'America/New York');
    await page.reload();
    await page.locator('tr[data-id]').first().waitFor();
    expect(await box.inputValue()).toBe('America/New York');
    await visitor.context.close();
    expectQuiet(stage, visitor);
  });
});

test.each([
  ['desk', 1440, 900],
  ['tablet', 800, 900],
  ['phone', 390, 844],
])('fits a %s in both themes', async (name, width, height) => {
  const visitor = await stage.visit('/fx-news', { browser: { viewport: { width, height } } });
  const { page } = visitor;
  await page.getByRole('tab', { name: /^Tomorrow/ }).click();
  await page.locator('tr[data-id] .event-button').first().click();
  await page.locator('.event-panel').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  expect(await page.evaluate(() => document.querySelector('main')?.scrollWidth)).toBe(width);
  const found = await axeInBothThemes(page, (theme) => picture(page, `calendar-${name}-${theme}`));
  expect(found).toEqual([]);
  await visitor.context.close();
  expectQuiet(stage, visitor);
});
