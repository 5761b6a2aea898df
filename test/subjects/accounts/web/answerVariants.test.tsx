import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { cancelCall, closeCall, postCall } from '../../../../src/subjects/calls/web/api.ts';
import { loadBoard, loadMyCalls } from '../../../../src/subjects/calls/web/state.ts';
import { chooseReminder, loadReminders } from '../../../../src/subjects/calendar/web/reminders.ts';
import { loadScans } from '../../../../src/subjects/scanners/web/custom/state.ts';
import { loadAppInfo } from '../../../../web/shared/appInfo.ts';
import { forgetCatalogs, loadCatalogs } from '../../../../src/subjects/indicators/web/shared/catalog.ts';
import { logIn, register, seedDemo } from '../../../../src/subjects/accounts/web/shared/session/account.ts';
import { searchHeadlines } from '../../../../src/subjects/announcements/web/shared/api.ts';
import {
  noteSummary,
  requestRefresh,
  requestSummary,
} from '../../../../src/subjects/announcements/web/shared/newsRequests.ts';
import { endSession, session } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { loadTestMode } from '../../../../src/subjects/accounts/web/shared/session/testMode.ts';
import {
  linkChat,
  loadChatBots,
  loadLinkedChats,
  unlinkChat,
} from '../../../../src/subjects/chats/web/shared/linkedChats.ts';
import { loadSettings, saveColumns, saveQuoteLink, settings } from '../../../../web/shared/settings.ts';
import { loadAlerts } from '../../../../src/subjects/alerts/web/watchlist/alerts/alertStore.ts';
import { scanAlertsChanged } from '../../../../src/subjects/alerts/web/shared/alertStream.ts';
import { loadWatchlist, setOpen } from '../../../../src/subjects/alerts/web/watchlist/state.ts';
import { EMPTY_CALL_FORM } from '../../../../src/subjects/calls/rules/callForm.ts';
import { type AppOnAnswers, openAppOnAnswers, PATIENT, showMarket } from '../../../support/appOnAnswers.tsx';
import { remember, SHOW_ALL } from '../../../support/scannerScreen.tsx';
import {
  OWN_ANSWERS,
  SPECIFIED_ANSWERS,
  type SpecifiedAnswer,
  SPECIFIED_EVENTS,
} from '../../../support/specifiedAnswers.ts';
import { memberVariants, type Variant, wholeVariants } from '../../../support/variants.ts';

/** Variants with one member changed, for each answer. */
const RUNS = 8;
/** Hundreds of variants are shown one after the other, on a machine that may do other things too. */
setDefaultTimeout(240_000);

let page: AppOnAnswers;
beforeEach(() => {
  page = openAppOnAnswers();
  for (const scanner of ['custom', 'preMarket', 'intraDayMidLarge'] as const) remember(scanner, SHOW_ALL);
});
afterEach(() => page.close());

/** Tries every variant in turn, on the page as the one before left it. */
async function tryAll(answer: unknown, attempt: (variant: Variant) => Promise<void>): Promise<void> {
  const tried = async (variant: Variant) => {
    await attempt(variant);
    expect([variant.name, ...page.errors()]).toEqual([variant.name]);
  };
  for (const variant of wholeVariants(answer)) await tried(variant);
  await fc.assert(fc.asyncProperty(memberVariants(answer), tried), { numRuns: RUNS });
}

/**
 * Answers in every variant, loads it on the screen that is open, and does something with what is shown.
 * @param forms what the variants are made of; as specified unless told otherwise
 */
async function answerAll(
  name: SpecifiedAnswer,
  load: () => Promise<unknown>,
  { use = () => {}, forms = [SPECIFIED_ANSWERS[name]] }: { use?: () => void; forms?: unknown[] } = {},
): Promise<void> {
  for (const form of forms) {
    await tryAll(form, async ({ answer }) => {
      page.answer(name, answer);
      await act(async () => void (await load()));
      use();
      expect(document.querySelector('main h1') === null).toBe(false);
    });
  }
}

/** As specified, and with what this product says besides. */
const bothForms = (name: SpecifiedAnswer & keyof typeof OWN_ANSWERS): unknown[] => [
  SPECIFIED_ANSWERS[name],
  OWN_ANSWERS[name],
];

const press = (button: HTMLElement) => act(() => button.click());

describe('an answer of another version leaves standing', () => {
  test('the calls', async () => {
    await page.open('/calls', 2);
    showMarket(page);
    await answerAll('GET /api/calls/leaderboard', loadBoard, {
      forms: bothForms('GET /api/calls/leaderboard'),
    });
  });

  test('the own calls', async () => {
    await page.open('/calls', 2);
    press(screen.getByRole('button', { name: 'Manage My Calls' }));
    await screen.findByRole('dialog', { name: 'My Calls' }, PATIENT);
    await answerAll('GET /api/calls/mine', loadMyCalls, { forms: bothForms('GET /api/calls/mine') });
  });

  test.each([
    [
      'POST /api/calls',
      () => postCall({ ...EMPTY_CALL_FORM, entryPrice: 1, targetPrice: 2 }, 'a-key-of-a-form'),
    ],
    ['POST /api/calls/c1/close', () => closeCall('c1', 5)],
    ['POST /api/calls/c1/cancel', () => cancelCall('c1')],
  ] as const)('what follows on %s', async (name, send) => {
    await page.open('/calls', 2);
    for (const { answer } of wholeVariants({ success: false, error: 'It is closed already.', call: {} })) {
      page.answer(name, answer);
      const refusal = await send();
      expect(refusal === null || refusal === undefined || typeof refusal.message === 'string').toBe(true);
    }
  });

  test.each(['POST /api/data/news/update', 'POST /api/data/news/summarise'] as const)(
    'an open news row: %s',
    async (name) => {
      await page.open('/intra-day-mid-large', 2);
      showMarket(page);
      const isUpdate = name === 'POST /api/data/news/update';
      await answerAll(
        name,
        () => (isUpdate ? requestRefresh('BHP') : requestSummary('BHP', { text: null, note: null })),
        { forms: [OWN_ANSWERS[name]], use: () => noteSummary('BHP', { text: 'Output rose.', note: null }) },
      );
    },
  );

  test('a search of headlines', async () => {
    await page.open('/intra-day-mid-large', 2);
    const name = 'GET /api/data/news/search';
    await answerAll(name, () => searchHeadlines('report', 8, new AbortController().signal), {
      forms: bothForms(name),
    });
  });

  test('the watchlist', async () => {
    await page.open('/watchlist', 2);
    showMarket(page);
    await answerAll('GET /api/watchlist', loadWatchlist);
  });

  test.each([
    ['GET /api/alerts', () => loadAlerts('BHP')],
    ['GET /api/settings/linked-chats', loadLinkedChats],
  ] as const)('an open alert editor: %s', async (name, load) => {
    await page.open('/watchlist', 2);
    showMarket(page);
    act(() => setOpen('BHP', true));
    await screen.findByLabelText('Number', {}, PATIENT);
    await answerAll(name, load, { forms: bothForms(name) });
  });

  test('the alerts on scans, what one told, and its rehearsal', async () => {
    await page.open('/watchlist', 2);
    await screen.findByRole('button', { name: /^Edit .*Pre-Market Scan$/ }, PATIENT);
    const reload = async () => scanAlertsChanged();
    press(screen.getByRole('button', { name: /^History of .*Pre-Market Scan$/ }));
    await answerAll('GET /api/scan-alerts/3/triggers', reload, {
      forms: bothForms('GET /api/scan-alerts/3/triggers'),
    });
    await answerAll('GET /api/scan-alerts', reload, { forms: bothForms('GET /api/scan-alerts') });
    page.answer('GET /api/scan-alerts', SPECIFIED_ANSWERS['GET /api/scan-alerts']);
    await act(reload);
    press(await screen.findByRole('button', { name: /^Edit .*Pre-Market Scan$/ }, PATIENT));
    await screen.findByRole('dialog', { name: 'Alert on a scan' }, PATIENT);
    // Each change has it tested again.
    let scope = 'market';
    for (const form of bothForms('POST /api/scan-alerts/rehearse')) {
      await tryAll(form, async ({ answer }) => {
        page.answer('POST /api/scan-alerts/rehearse', answer);
        scope = scope === 'market' ? 'watchlist' : 'market';
        fireEvent.change(screen.getByLabelText('Of'), { target: { value: scope } });
        await waitFor(() => expect(screen.queryByText(/^Testing the last/) === null).toBe(true), PATIENT);
        expect(screen.queryByText('How often it would have fired') === null).toBe(false);
      });
    }
  });

  test('the calendar: its reminders', async () => {
    await page.open('/fx-news', 2);
    page.send('snapshot', OWN_ANSWERS.snapshot);
    openEvents();
    await answerAll('GET /api/calendar/reminders', loadReminders);
    await answerAll('PUT /api/calendar/reminders/cpi', async () => {
      chooseReminder('cpi', { before: true });
      chooseReminder('cpi', { before: false });
    });
  });

  test('the settings', async () => {
    await page.open('/settings', 2);
    await answerAll('GET /api/settings', loadSettings);
    await answerAll('POST /api/settings/table-columns', () => saveColumns('intraDayMidLarge', []));
    await answerAll('POST /api/settings/quote-site', () =>
      saveQuoteLink(settings.peek()?.quoteSite === 'asx' ? 'google' : 'asx'),
    );
  });

  test('the linked accounts', async () => {
    await page.open('/settings', 2);
    const forms = bothForms('GET /api/settings/linked-chats');
    await answerAll('GET /api/settings/linked-chats', loadLinkedChats, { forms });
    await answerAll('GET /api/settings/chat-bots', loadChatBots, {
      forms: bothForms('GET /api/settings/chat-bots'),
    });
    const chat = {
      platform: 'telegram',
      id: '1',
      display_name: null,
      label: '1',
      confirmed: true,
      broken: null,
    } as const;
    await answerAll('POST /api/settings/link-chat', () => linkChat('telegram', '1'));
    await answerAll('POST /api/settings/unlink-chat', () => unlinkChat(chat));
  });

  test('a scanner that takes its columns from the settings', async () => {
    await page.open('/intra-day-mid-large', 2);
    showMarket(page);
    await answerAll('GET /api/settings', loadSettings);
  });

  test.each(['GET /api/indicators/catalog/tv', 'GET /api/indicators/catalog/custom'] as const)(
    'the settings and the picker: %s',
    async (name) => {
      await page.open('/settings', 2);
      const [add] = await screen.findAllByRole('button', { name: 'Add Indicator' }, PATIENT);
      await waitFor(() => expect(add?.hasAttribute('disabled')).toBe(false), PATIENT);
      press(add as HTMLElement);
      await screen.findByRole('dialog', { name: 'Select Indicator or Field' }, PATIENT);
      const loadAgain = () => {
        forgetCatalogs();
        return loadCatalogs();
      };
      const forms = name === 'GET /api/indicators/catalog/tv' ? bothForms(name) : [SPECIFIED_ANSWERS[name]];
      await answerAll(name, loadAgain, { use: openEveryParameterForm, forms });
    },
  );

  test.each(['GET /api/indicators/prefs', 'GET /api/indicators/scans'] as const)(
    'the custom scanner: %s',
    async (name) => {
      localStorage.setItem('bellbird.customScan', '1');
      await page.open('/custom-scanner', 2);
      showMarket(page);
      await answerAll(name, loadScans);
    },
  );

  test.each([
    ['GET /api/test/status', loadTestMode],
    ['GET /api/app', loadAppInfo],
  ] as const)('the login: %s', async (name, load) => {
    await page.open('/login');
    await answerAll(name, load, {
      forms: name === 'GET /api/app' ? bothForms(name) : [SPECIFIED_ANSWERS[name]],
    });
  });
});

/** Goes from the open picker into the parameters of every indicator, and back. */
function openEveryParameterForm(): void {
  const items = '[aria-label$="indicators"] .pick-item:not([aria-disabled])';
  const count = document.querySelectorAll(items).length;
  for (let index = 0; index < count; index += 1) {
    press(document.querySelectorAll<HTMLElement>(items)[index] as HTMLElement);
    // Found by its class: to look through all roles hundreds of times takes minutes.
    press(document.querySelector<HTMLElement>('.dialog-back') as HTMLElement);
  }
}

/** Opens every event of the day that is shown. */
function openEvents(): void {
  for (const button of document.querySelectorAll<HTMLElement>('.event-button[aria-expanded="false"]')) {
    press(button);
  }
}

describe('an answer of another version signs in, or says why not', () => {
  test.each([
    ['POST /api/login', () => logIn({ identifier: 'maggie', password: 'secret' })],
    [
      'POST /api/register',
      () => register({ username: 'maggie', password: 'secret', email: null, setupToken: null }),
    ],
    ['POST /api/test/seed', () => seedDemo('maggie')],
  ] as const)('%s', async (name, send) => {
    await tryAll(SPECIFIED_ANSWERS[name], async ({ answer }) => {
      endSession();
      page.answer(name, answer);
      const refusal = await send();
      const { isAuthenticated, accessToken, accessLevel } = session.peek();
      expect(isAuthenticated).toBe(refusal === null);
      if (refusal !== null) return expect(refusal.message).not.toBe('');
      expect(typeof accessToken === 'string' && accessToken !== '').toBe(true);
      expect(Number.isInteger(accessLevel) && accessLevel >= 1).toBe(true);
    });
  });
});

describe('events of a server of another version leave standing', () => {
  test.each([
    '/pre-market',
    '/intra-day-small',
    '/intra-day-mid-large',
    '/intra-day-large-cap',
    '/custom-scanner',
  ])('%s', async (route) => {
    await page.open(route, 2);
    showMarket(page);
    const openNews = async () => {
      // Found by the label: to look for the role takes as long as all that is drawn.
      for (const button of document.querySelectorAll<HTMLElement>('button[aria-label^="News for"]'))
        press(button);
      // What a row asks for has come.
      await act(() => new Promise((done) => setTimeout(done)));
    };
    for (const form of [SPECIFIED_EVENTS.snapshot, OWN_ANSWERS.snapshot]) {
      await tryAll(form, async ({ answer }) => {
        page.send('snapshot', answer);
        await openNews();
        expect(document.querySelector('main h1') === null).toBe(false);
      });
    }
    await tryAll(SPECIFIED_EVENTS.delta_update, async ({ answer }) => {
      showMarket(page);
      page.send('delta_update', answer);
      await act(() => new Promise(requestAnimationFrame));
      await openNews();
      expect(document.querySelector('main h1') === null).toBe(false);
    });
  });

  test('the calendar', async () => {
    localStorage.setItem('bellbird.calendar', JSON.stringify({ zone: 'Australia/Sydney' }));
    await page.open('/fx-news', 2);
    showMarket(page);
    for (const form of [SPECIFIED_EVENTS.snapshot, OWN_ANSWERS.snapshot]) {
      await tryAll(form, async ({ answer }) => {
        page.send('snapshot', answer);
        openEvents();
        // The earlier figures of what is open are asked for, and are not known.
        await act(() => new Promise(requestAnimationFrame));
        expect(screen.getAllByRole('tab')).toHaveLength(3);
      });
    }
    const delta = {
      ...SPECIFIED_EVENTS.delta_update,
      fx: { ...OWN_ANSWERS.snapshot.fx, upsert: OWN_ANSWERS.snapshot.fx.data },
    };
    await tryAll(delta, async ({ answer }) => {
      page.send('snapshot', OWN_ANSWERS.snapshot);
      page.send('delta_update', answer);
      await act(() => new Promise(requestAnimationFrame));
      openEvents();
      await act(() => new Promise(requestAnimationFrame));
      expect(screen.getAllByRole('tab')).toHaveLength(3);
    });
  });
});
