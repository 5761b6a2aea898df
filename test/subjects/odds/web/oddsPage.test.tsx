import { beforeEach, describe, expect, test } from 'bun:test';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { OddsResult } from '#subjects/odds/rules/result.ts';
import { DEFAULT_ODDS_SETTINGS } from '#subjects/odds/rules/settings.ts';
import { oddsPath, type OddsSubject } from '#web/shared/oddsPath.ts';
import { anOddsResult, anOddsSample } from '#support/anOddsResult.ts';
import { openAppOnAnswers, PATIENT } from '#support/appOnAnswers.tsx';
import { results } from '#support/axe.ts';
import { eachTest } from '#support/eachTest.ts';

// Loaded ahead so that no test waits for the code of a screen.
await import('#subjects/odds/web/OddsPage.tsx');
await import('#subjects/alerts/web/shared/ScanAlertDialog.tsx');

const MOVERS: OddsSubject = { scan: { type: 'scanner', key: 'intraDaySmall' } };

const HISTORY = {
  sessions: 90,
  from: '2026-07-20',
  until: '2026-11-20',
  source: 'simulator',
  isReplay: false,
  otherSources: [],
  making: null,
};

const stateOf = (part: object = {}) => ({
  id: 'run',
  isDone: true,
  waiting: 0,
  sessions: { done: 90, of: 90 },
  result: anOddsResult(),
  refused: null,
  name: 'Top Movers under $1',
  variants: 1,
  luck: { variants: 1, median: 0, high: 0.2 },
  history: HISTORY,
  ...part,
});

const ENTRY = {
  symbol: 'ABC',
  name: 'ABC LIMITED',
  date: '2026-11-19',
  minute: 631,
  fillMinute: 632,
  fill: 0.105,
  exitDate: '2026-11-19',
  exitMinute: 662,
  exit: 0.11,
  reason: 'time',
  result: 3.9,
  before: 4.7,
  hasNews: true,
};

const SAVED = {
  id: 4,
  name: 'Top Movers under $1',
  subject: 'intraDaySmall',
  scan: MOVERS.scan,
  settings: DEFAULT_ODDS_SETTINGS,
  saved_at: '2026-11-18T02:00:00.000Z',
  sessions: 2,
  until: '2026-11-19',
  result: anOddsResult({ all: anOddsSample({ entries: 9, mean: 0.4, isTooFew: true }) }),
  problem: null,
};

const page = eachTest(() => openAppOnAnswers());
beforeEach(() => {
  page.answer('POST /api/odds', stateOf());
  page.answer('GET /api/odds/run/entries', { total: 1, entries: [ENTRY] });
  page.answer('GET /api/odds/saved', { saved: [], limit: 10 });
});

const open = (subject: OddsSubject = MOVERS) => page.open(oddsPath(subject), 1);
const answerWith = (result: Partial<OddsResult>, part: object = {}) =>
  page.answer('POST /api/odds', stateOf({ result: anOddsResult(result), ...part }));
const find = (text: RegExp | string) => screen.findByText(text, undefined, PATIENT);
const bodies = () => page.server.to('/api/odds').map(({ body }) => body);
const groupOf = (name: string) => screen.getByText(name).closest('div');

describe('the odds of a scanner', () => {
  test('say in one sentence what a trade made, on how much, and whether it is luck', async () => {
    await open();
    expect((await find(/^Lost 1\.2% per trade/)).closest('p')?.textContent).toBe(
      'Lost 1.2% per trade after costs. 412 entries on 58 days.',
    );
    expect(screen.getByText(/Luck alone rarely shows this/)).toBeDefined();
    expect(screen.getByRole('heading', { level: 1, name: 'Odds of Top Movers under $1' })).toBeDefined();
    expect(document.title).toContain('Odds of Top Movers under $1');
    expect(groupOf('Mean after costs')?.textContent).toContain('95%: −1.5% to −0.9%');
    expect(groupOf('Before costs')?.textContent).toContain('+0.10%');
    expect(groupOf('First two thirds')?.textContent).toContain('276 entries');
    expect(groupOf('Last third, from 20 Nov')?.textContent).toContain('−1.4%');
    expect(screen.getByText(/General information only/)).toBeDefined();
    expect(bodies()).toEqual([
      { scan: MOVERS.scan, settings: DEFAULT_ODDS_SETTINGS, tab: expect.any(String) },
    ]);
    expect(await results(document.body)).toEqual([]);
    expect(page.errors()).toEqual([]);
  });

  test('repeat each picture as a table', async () => {
    await open();
    await find(/^Lost/);
    const days = screen.getByRole('region', { name: 'Days, newest first', hidden: true });
    expect(within(days).getByText('Friday 20 November 2026').closest('tr')?.textContent).toContain(
      '−2.8%212',
    );
    const bars = screen.getByRole('region', { name: 'Results per trade', hidden: true });
    expect(within(bars).getByText('−5% to 0%').closest('tr')?.textContent).toContain('214');
    const byPrice = screen.getByRole('table', { name: 'By price' });
    expect(within(byPrice).getByText('Under $0.02').closest('tr')?.textContent).toContain('−6.0%');
  });

  test('name what is left out', async () => {
    await open();
    await find('12 entries left out: no trade followed on that day.');
    expect(screen.getByText('The conditions on your watchlist were left out.')).toBeDefined();
  });

  test('do not judge a small sample', async () => {
    answerWith({ all: anOddsSample({ entries: 12, days: 5, isTooFew: true }) });
    await open();
    expect((await find('Too few to say.')).className).toBe('flat');
    expect(screen.getByText(/at least 30 entries on 10 days/)).toBeDefined();
  });

  test('warn about the number of variants', async () => {
    const won = anOddsSample({ mean: 0.8, low: 0.3, high: 1.3 });
    answerWith({ all: won, heldOut: won }, { variants: 7, luck: { variants: 7, median: 0.4, high: 0.9 } });
    await open();
    await find(/You have tried 7 variants/);
    expect(screen.getByText(/the best of 7 variants shows up to \+0\.90%/)).toBeDefined();
  });
});

describe('settings', () => {
  test('run the odds again, and stay for the next scan', async () => {
    await open();
    await find(/^Lost/);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sell' }), 'Stop and target');
    const exit = { kind: 'stopTarget', stop: 2, target: 4 };
    await waitFor(() => expect(bodies().at(-1)).toMatchObject({ settings: { exit } }), PATIENT);
    await userEvent.clear(screen.getByRole('spinbutton', { name: 'Amount ($)' }));
    await userEvent.type(screen.getByRole('spinbutton', { name: 'Amount ($)' }), '2000');
    await waitFor(() => expect(bodies().at(-1)).toMatchObject({ settings: { amount: 2000 } }), PATIENT);
    expect(JSON.parse(localStorage.getItem('bellbird.oddsSettings') ?? '')).toMatchObject({
      exit,
      amount: 2000,
    });
  });

  test('tighten the scan, which the address keeps', async () => {
    await open();
    await find(/^Lost/);
    await userEvent.type(screen.getByRole('spinbutton', { name: 'Up at least (%)' }), '5');
    await userEvent.click(screen.getByRole('switch', { name: 'News only' }));
    const filters = { minValue: 5000, newsOnly: true, minChange: 5 };
    await waitFor(() => expect(bodies().at(-1)).toMatchObject({ scan: { filters } }), PATIENT);
    expect(decodeURIComponent(window.location.hash)).toContain('"minChange":5');
    // The alert watches the tightened scan.
    await userEvent.click(screen.getByRole('button', { name: 'Alert me' }));
    await screen.findByRole('dialog', { name: 'New alert on a scan' }, PATIENT);
  });
});

describe('states', () => {
  test('shows the sessions so far, then the entries', async () => {
    let isDone = false;
    page.answer('POST /api/odds', stateOf({ isDone: false, sessions: { done: 38, of: 90 } }));
    page.server.answers['GET /api/odds/run'] = async () => {
      while (!isDone) await new Promise((done) => setTimeout(done, 5));
      return { body: stateOf() };
    };
    await open();
    await find('38 of 90 sessions so far…');
    expect(screen.getByText(/^Lost/)).toBeDefined();
    expect(screen.queryByRole('grid', { name: 'Entries' })).toBeNull();
    isDone = true;
    const entries = await screen.findByRole('grid', { name: 'Entries' }, PATIENT);
    await userEvent.click(within(entries).getByRole('button', { name: /^Result/ }));
    await waitFor(() => {
      const { query } = page.server.to('/api/odds/run/entries').at(-1) ?? {};
      expect(query).toMatchObject({ sort: 'result', order: 'desc' });
    }, PATIENT);
    expect(screen.getByText('90 sessions from 20 July to 20 Nov of the simulated exchange.')).toBeDefined();
  });

  test('says that the history is still being made', async () => {
    page.answer('POST /api/odds', stateOf({ history: { ...HISTORY, making: { done: 12, of: 60 } } }));
    await open();
    await find(/making missing sessions: 12 of 60 are done/);
  });

  test('tells no sessions from no entries and from a refusal', async () => {
    page.answer('POST /api/odds', stateOf({ result: null, history: { ...HISTORY, sessions: 0 } }));
    await open();
    await find('No sessions are stored yet.');
    const none = anOddsSample({ entries: 0, mean: null });
    answerWith({ all: none, leftOut: { noFill: 0, noExit: 0, gap: 0 } });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sell' }), 'At the close');
    await find(/^No stock met this scan/);
    page.answer('POST /api/odds', stateOf({ result: null, refused: 'This scan no longer exists.' }));
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sell' }), 'At the next open');
    await find('This scan no longer exists.');
  });

  test('offers a retry after a failure', async () => {
    page.server.answers['POST /api/odds'] = { status: 503, body: { error: 'Two runs are under way.' } };
    await open();
    await find('Two runs are under way.');
    page.answer('POST /api/odds', stateOf());
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await find(/^Lost/);
  });
});

test('an entry opens the chart of its minutes', async () => {
  const opened: string[] = [];
  const realOpen = window.open;
  window.open = (address) => {
    opened.push(String(address));
    return window;
  };
  await open();
  const row = await screen.findByRole('row', { name: /ABC/ }, PATIENT);
  expect(row.textContent).toContain('+3.9%19 Nov10:31');
  await userEvent.click(within(row).getByText('ABC'));
  window.open = realOpen;
  const at = Date.parse('2026-11-19T10:32:00+11:00');
  expect(opened[0]).toEndWith(`#/chart?symbol=ABC&at=${at}&until=${at + 30 * 60_000}`);
});

describe('the chart of a past trade', () => {
  const at = Date.parse('2026-11-19T15:40:00+11:00');
  const until = Date.parse('2026-11-20T10:00:00+11:00');
  const address = `/chart?symbol=ABC&at=${at}&until=${until}`;

  test('shows the minutes of its days, and leads to the live chart', async () => {
    page.server.answers['GET /api/odds/day'] = ({ query: { date } }) => ({
      body: {
        symbol: 'ABC',
        date,
        minutes: [600, 601],
        open: [0.1, 0.105],
        high: [0.105, 0.11],
        low: [0.1, 0.105],
        last: [0.105, 0.11],
        volume: [5000, 2500],
        gaps: [{ from: 700, until: 720 }],
      },
    });
    await page.open(address, 1);
    await find('Bought Thursday 19 November 2026 at 15:40, sold Friday 20 November 2026 at 10:00.');
    const chart = await screen.findByRole('region', { name: 'Chart of ABC on that day' }, PATIENT);
    await waitFor(() => expect(chart.textContent).toContain('Bought'), PATIENT);
    expect(page.server.to('/api/odds/day').map(({ query }) => query.date)).toEqual([
      '2026-11-19',
      '2026-11-20',
    ]);
    expect(window.location.hash).toBe(`#${address}`);
    await userEvent.click(screen.getByRole('button', { name: 'Show the live chart' }));
    await screen.findByRole('region', { name: 'Chart of ABC' }, PATIENT);
    expect(window.location.hash).toBe('#/chart?symbol=ABC');
  });

  test('says if the history no longer has that day', async () => {
    const error = 'The history has no session of 19 November.';
    page.server.answers['GET /api/odds/day'] = { status: 404, body: { error } };
    await page.open(address, 1);
    await find(error);
  });
});

describe('saved odds', () => {
  test('are saved with the settings, shown since then, and deleted', async () => {
    page.answer('POST /api/odds/saved', SAVED);
    page.server.answers['DELETE /api/odds/saved/4'] = { status: 200, body: { removed: true } };
    await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Save these odds' }, PATIENT));
    const table = await screen.findByRole('table', { name: 'Since you saved it' }, PATIENT);
    expect(within(table).getAllByRole('row')[1]?.textContent).toContain('18 Nov, 2 sessions+0.40%');
    const figure = screen.getByText('Since you saved it', { selector: 'dt' }).closest('div');
    expect(figure?.textContent).toContain('+0.40%9 entries');
    expect(page.server.to('/api/odds/saved').at(-1)?.body).toMatchObject({
      scan: MOVERS.scan,
      name: 'Top Movers under $1',
    });
    await userEvent.click(screen.getByRole('button', { name: /^Delete the saved odds/ }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }, PATIENT));
    await waitFor(
      () => expect(screen.queryByRole('table', { name: 'Since you saved it' })).toBeNull(),
      PATIENT,
    );
  });

  test('are listed on the page without a scan, with the scans to ask about', async () => {
    page.answer('GET /api/odds/saved', { saved: [SAVED], limit: 10 });
    page.answer('GET /api/indicators/scans', {
      scans: [{ id: 7, name: 'Dips', logic: { op: 'AND', conditions: [] }, lists: null, problem: null }],
    });
    await page.open('/odds', 1);
    const table = await screen.findByRole('table', { name: 'Since you saved them' }, PATIENT);
    const link = within(table).getByRole('link', { name: 'Top Movers under $1' });
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain('"key":"intraDaySmall"');
    expect(screen.getByRole('link', { name: 'Live Pre-Open' })).toBeDefined();
    expect(await results(document.body)).toEqual([]);
  });
});
