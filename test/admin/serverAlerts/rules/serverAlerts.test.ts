import { describe, expect, test } from 'bun:test';
import { bad, doubtful, good } from '#lib/checkResult.ts';
import { type HealthCheck } from '#admin/serverAlerts/rules/healthCheck.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/units.ts';
import { hostChecks, type HostSeen } from '#admin/serverAlerts/rules/hostChecks.ts';
import { carrierSeen, serviceChecks, type ServiceSeen } from '#admin/serverAlerts/rules/serviceChecks.ts';
import { sourceChecks, type SourcesSeen } from '#admin/serverAlerts/rules/sourceChecks.ts';
import {
  counting,
  readStatuses,
  type CheckStatus,
  nextStatus,
} from '#admin/serverAlerts/rules/checkStatus.ts';

/** Wednesday 18 November 2026 in Sydney: 11:00, and 20:00. */
const OPEN = Date.UTC(2026, 10, 18, 0);
const EVENING = Date.UTC(2026, 10, 18, 9);
const SATURDAY = Date.UTC(2026, 10, 21, 1);

const well = { label: 'ASX', healthy: true, problem: null };
const down = { label: 'ASX', healthy: false, problem: 'ASX answers 500.' };
const sources = (more: Partial<SourcesSeen> = {}): SourcesSeen => ({
  prices: { ...well, signInProblem: null },
  announcements: well,
  calendar: well,
  marketTime: OPEN,
  now: OPEN,
  ...more,
});
const statesOf = (checks: readonly { key: string; state: string }[]) =>
  Object.fromEntries(checks.map(({ key, state }) => [key, state]));

describe('checks of sources', () => {
  const allDown = { prices: { ...down, signInProblem: null }, announcements: down, calendar: down };
  test('report silent sources as down in their hours, with the reason', () => {
    const checks = sourceChecks(sources(allDown));
    expect(statesOf(checks)).toEqual({
      prices: 'wrong',
      signIn: 'unknown',
      announcements: 'wrong',
      calendar: 'wrong',
      priceFields: 'unknown',
      announcementFields: 'unknown',
      calendarFields: 'unknown',
    });
    expect(checks[0]?.detail).toBe('ASX answers 500.');
  });
  test('accept silence of prices and announcements outside their hours', () => {
    for (const marketTime of [EVENING, SATURDAY]) {
      const states = statesOf(sourceChecks(sources({ ...allDown, marketTime })));
      expect(states).toMatchObject({ prices: 'unknown', announcements: 'unknown', calendar: 'wrong' });
    }
  });
});

test('fields that a source no longer sends are reported after ten minutes, each with its start', () => {
  const at = (minutes: number) => OPEN - minutes * 60_000;
  const detailOf = (missing: { name: string; since: number }[]) =>
    sourceChecks(sources({ prices: { ...well, signInProblem: null, missing } })).find(
      ({ key }) => key === 'priceFields',
    );

  expect(detailOf([{ name: 'VWAP', since: at(18) }])).toMatchObject({
    state: 'wrong',
    detail: 'TradingView has sent no VWAP for any stock since 10:42, Sydney time.',
  });
  const two = [
    { name: 'sectors', since: at(24 * 60) },
    { name: 'VWAP', since: at(18) },
  ];
  expect(detailOf(two)?.detail).toBe(
    'TradingView has sent no sectors for any stock since 17 Nov 11:00, no VWAP since 10:42, Sydney time.',
  );
  const ofTenAndNine = [
    { name: 'sectors', since: at(10) },
    { name: 'VWAP', since: at(9) },
  ];
  expect(detailOf(ofTenAndNine)?.parts?.map(({ lasts }) => lasts)).toEqual([true, false]);
});

const host = (more: Partial<HostSeen> = {}): HostSeen => ({
  now: OPEN,
  firstCheck: OPEN - 30 * DAY_MS,
  engine: null,
  clockAhead: [],
  backups: { newest: OPEN - HOUR_MS, failure: null, warning: null, everyDays: 1 },
  freeBytes: 5e9,
  ...more,
});
const found = (more: Partial<HostSeen>) => statesOf(hostChecks(host(more)));

test('a low disk is reported below 500 MB, recovery at 600 MB, and no change between them', () => {
  const MB = 1024 * 1024;

  const state = (freeBytes: number | null) => found({ freeBytes })['disk'];
  expect([500 * MB - 1, 500 * MB, 600 * MB - 1, 600 * MB, null].map(state)).toEqual([
    'wrong',
    'unchanged',
    'unchanged',
    'well',
    'unknown',
  ]);
});

test('a clock is wrong if it differs by more than a minute from every push service that answered', () => {
  const state = (...clockAhead: number[]) => found({ clockAhead })['clock'];
  expect(state()).toBe('unknown');
  expect(state(-26 * HOUR_MS)).toBe('wrong');
  expect(state(-26 * HOUR_MS, -1000)).toBe('well');
  const clock = hostChecks(host({ clockAhead: [-26 * HOUR_MS] })).find(({ key }) => key === 'clock');
  expect(clock?.detail).toStartWith('The clock of this machine is 26 hours behind');
});

describe('checks of the server', () => {
  test('report a missed backup after 26 hours, and a day later on a new installation', () => {
    const backupOld = (newest: number | null, firstLook = OPEN - 30 * DAY_MS, everyDays = 1) =>
      found({ firstCheck: firstLook, backups: { newest, failure: null, warning: null, everyDays } })[
        'backupOld'
      ];
    expect(backupOld(OPEN - 26 * HOUR_MS)).toBe('well');
    expect(backupOld(OPEN - 26 * HOUR_MS - 1)).toBe('wrong');
    expect(backupOld(OPEN - 7 * DAY_MS, 0, 7)).toBe('well');
    expect(backupOld(OPEN - 7 * DAY_MS - 2 * HOUR_MS - 1, 0, 7)).toBe('wrong');
    expect(backupOld(null)).toBe('wrong');
    expect(backupOld(null, OPEN - HOUR_MS)).toBe('well');
  });
  test('report a certificate that expires, at 14 days and at 3', () => {
    const certificate = (days: number) => {
      const states = found({ certificate: { host: 'bellbird.example', endsAt: OPEN + days * DAY_MS } });
      return [states['certificate'], states['certificateSoon']];
    };
    expect(certificate(15)).toEqual(['well', 'well']);
    expect(certificate(14)).toEqual(['wrong', 'well']);
    expect(certificate(3)).toEqual(['wrong', 'wrong']);
    expect(certificate(-1)).toEqual(['wrong', 'wrong']);
    expect(found({ certificate: null })).toMatchObject({ certificate: 'unchecked' });
    expect(found({})).not.toHaveProperty('certificate');
  });
  test('report a low disk, an available update and an unreachable Redis', () => {
    expect(
      found({
        freeBytes: 1e8,
        update: { isNew: true, version: '2.0.0' },
        engine: { isUp: false, problem: 'Nothing answers.' },
      }),
    ).toMatchObject({ disk: 'wrong', update: 'wrong', engine: 'wrong' });
    expect(found({ update: null })).toMatchObject({ update: 'unchecked' });
    expect(found({})).not.toHaveProperty('update');
  });
});

describe('checks of services', () => {
  const refused = bad('Telegram bot', 'Telegram does not accept the token.', 'Get the token.');
  const away = doubtful('Telegram bot', 'Telegram could not be reached.', 'Look at the network.');
  const well = good('Telegram bot', 'Telegram knows the bot as bell_bot.');
  test('are unchecked until an answer, and fail sooner if only an administrator can fix it', () => {
    const found = (telegram: ServiceSeen) => serviceChecks({ telegram })[0];
    expect(found(null)).toMatchObject({ key: 'telegram', state: 'unchecked' });
    expect(found(well)).toMatchObject({ state: 'well' });
    const seen = { state: 'wrong', detail: 'Telegram does not accept the token.', remedy: 'Get the token.' };
    expect(found(refused)).toMatchObject({ ...seen, afterMs: 2 * MINUTE_MS, platform: 'telegram' });
    expect(found(away)).toMatchObject({ state: 'wrong', afterMs: 5 * MINUTE_MS });
  });
  test('report a bot that receives but cannot send, with the more useful reason', () => {
    const trouble = 'Telegram asked to wait.';
    expect(carrierSeen('telegram', well, null)).toBe(well);
    expect(carrierSeen('telegram', null, null)).toBe(null);
    expect(carrierSeen('telegram', well, trouble)).toMatchObject({ state: 'warning', says: trouble });
    expect(carrierSeen('telegram', null, trouble)).toMatchObject({ state: 'warning', says: trouble });
    expect(carrierSeen('telegram', refused, trouble)).toBe(refused);
  });
});

const check = (more: Partial<HealthCheck> = {}): HealthCheck => ({
  key: 'prices',
  what: 'Prices',
  state: 'wrong',
  title: 'Down',
  overTitle: 'Up',
  detail: '',
  remedy: '',
  afterMs: 5 * MINUTE_MS,
  overAfterMs: 10 * MINUTE_MS,
  isUrgent: true,
  ...more,
});

/** Plays one letter per minute: w wrong, . well, ? unknown, - unchecked. @returns the notifications by minute */
function newsOf(minutes: string): string[] {
  const states = { w: 'wrong', '.': 'well', '?': 'unknown', '-': 'unchecked' } as const;
  let status: CheckStatus | null = null;
  return Array.from(minutes).flatMap((letter, minute) => {
    const state = states[letter as keyof typeof states];
    const step = nextStatus(check({ state }), status, 1e12 + minute * MINUTE_MS);
    status = step.status;
    return step.news === null ? [] : [`${minute} ${step.news}`];
  });
}

describe('a problem', () => {
  test('is notified once, if it lasted', () => {
    expect(newsOf('wwwwwwwwwwwwwww')).toEqual(['5 begin']);
    expect(newsOf('wwwww')).toEqual([]);
  });
  test('is resolved after it was well for long enough, with one notification', () => {
    expect(newsOf(`${'w'.repeat(6)}${'.'.repeat(20)}`)).toEqual(['5 begin', '16 over']);
  });
  test('is notified only once in total if it comes and goes', () => {
    expect(newsOf('wwww.'.repeat(20))).toEqual([]);
    expect(newsOf(`${'w'.repeat(6)}${'....w'.repeat(20)}`)).toEqual(['5 begin']);
  });
  test('neither starts nor ends while its state is unknown', () => {
    expect(newsOf('wwww????????wwww')).toEqual([]);
    expect(newsOf(`${'w'.repeat(6)}${'?'.repeat(30)}`)).toEqual(['5 begin']);
    expect(newsOf(`${'w'.repeat(6)}.....?.....?.........`)).toEqual(['5 begin']);
  });
});

describe('a problem with parts', () => {
  /** Plays checks, each with the failing parts; capitals have lasted. @returns the notifications by check */
  function newsIn(checks: readonly string[]): string[] {
    let status: CheckStatus | null = null;
    return checks.flatMap((letters, index) => {
      const parts = Array.from(letters, (letter) => ({
        name: letter.toLowerCase(),
        lasts: letter !== letter.toLowerCase(),
      }));
      const state = letters === '' ? 'well' : 'wrong';
      const one = check({ state, parts, afterMs: 0, overAfterMs: 2 * MINUTE_MS });
      const step = nextStatus(one, status, 1e12 + index * MINUTE_MS);
      const { status: next } = step;
      const kept: unknown = JSON.parse(JSON.stringify({ it: next }));
      // Uses the serialised state, as a restart does, while the problem lasts.
      status = next?.wellSince === null ? (readStatuses(kept).get('it') ?? next) : next;
      return step.news === null ? [] : [`${index} ${step.news}`];
    });
  }

  test('is notified again once a part that was not named yet lasts', () => {
    expect(newsIn(['A', 'Ab', 'Ab', 'AB', 'AB', 'ABC'])).toEqual(['0 begin', '3 more', '5 more']);
  });
  test('is not notified again for a named part, or one that recovered and failed again', () => {
    expect(newsIn(['Ab', 'AB', 'A', 'AB', 'B', 'AB'])).toEqual(['0 begin']);
    expect(newsIn(['Ab', 'AB', 'ABc', 'A', 'AC', 'ABC'])).toEqual(['0 begin', '4 more']);
  });
  test('is resolved as a whole, and can start again', () => {
    expect(newsIn(['A', 'AB', '', '', '', 'B'])).toEqual(['0 begin', '1 more', '4 over', '5 begin']);
  });
});

test('after a restart, notified problems stay notified and the others start again', () => {
  const kept = {
    a: { wrongSince: 1, wellSince: 5, countsSince: 2 },
    b: { wrongSince: 1, wellSince: null, countsSince: null },
  };
  expect([...readStatuses(JSON.parse(JSON.stringify(kept)))]).toEqual([
    ['a', { wrongSince: 1, wellSince: null, countsSince: 2 }],
  ]);
});

test('the list contains lasting problems, longest first, and only the worse of two stages', () => {
  const counts = (wrongSince: number): CheckStatus => ({
    wrongSince,
    wellSince: null,
    countsSince: wrongSince,
  });
  const statuses = new Map([
    ['late', counts(30)],
    ['base', counts(10)],
    ['worse', counts(20)],
    ['new', { wrongSince: 1, wellSince: null, countsSince: null }],
  ]);
  const checks = ['new', 'late', 'base'].map((key) => check({ key }));
  const list = counting([...checks, check({ key: 'worse', stageOf: 'base' })], statuses);
  expect(list.map((one) => one.check.key)).toEqual(['worse', 'late']);
});
