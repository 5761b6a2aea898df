import { describe, expect, test } from 'bun:test';
import { bad, doubtful, good } from '../../../../src/lib/finding.ts';
import { checksOf } from '../../../../src/admin/notices/rules/checks.ts';
import {
  type Concern,
  type ConcernState,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
} from '../../../../src/admin/notices/rules/concern.ts';
import { type HostSeen, hostConcerns } from '../../../../src/admin/notices/rules/hostConcerns.ts';
import {
  carrierSeen,
  serviceConcerns,
  type ServiceSeen,
} from '../../../../src/admin/notices/rules/serviceConcerns.ts';
import { sourceConcerns, type SourcesSeen } from '../../../../src/admin/notices/rules/sourceConcerns.ts';

/** Wednesday 18 November 2026 in Sydney: 11:00, and 20:00. */
const OPEN = Date.UTC(2026, 10, 18, 0);
const EVENING = Date.UTC(2026, 10, 18, 9);
const SATURDAY = Date.UTC(2026, 10, 21, 1);

const well = { label: 'ASX', healthy: true, problem: null };
const down = { label: 'ASX', healthy: false, problem: 'ASX answers 500.' };
const sources = (more: Partial<SourcesSeen> = {}): SourcesSeen => ({
  prices: { ...well, signInProblem: null },
  ...{ announcements: well, calendar: well, marketTime: OPEN, now: OPEN },
  ...more,
});
const statesOf = (concerns: readonly { key: string; state: string }[]) =>
  Object.fromEntries(concerns.map(({ key, state }) => [key, state]));

describe('sources', () => {
  const allDown = { prices: { ...down, signInProblem: null }, announcements: down, calendar: down };
  test('that answer are well, at any hour', () => {
    for (const marketTime of [OPEN, EVENING, SATURDAY]) {
      expect(statesOf(sourceConcerns(sources({ marketTime })))).toEqual({
        ...{ prices: 'well', signIn: 'well', announcements: 'well', calendar: 'well' },
        ...{ priceFields: 'well', announcementFields: 'well', calendarFields: 'well' },
      });
    }
  });
  test('that are silent are down in their hours, and say why', () => {
    const concerns = sourceConcerns(sources(allDown));
    expect(statesOf(concerns)).toEqual({
      ...{ prices: 'wrong', signIn: 'unknown', announcements: 'wrong', calendar: 'wrong' },
      ...{ priceFields: 'unknown', announcementFields: 'unknown', calendarFields: 'unknown' },
    });
    expect(concerns[0]?.detail).toBe('ASX answers 500.');
  });
  test('outside of them the silence of prices and announcements says nothing', () => {
    for (const marketTime of [EVENING, SATURDAY]) {
      const states = statesOf(sourceConcerns(sources({ ...allDown, marketTime })));
      expect(states).toMatchObject({ prices: 'unknown', announcements: 'unknown', calendar: 'wrong' });
    }
  });
  test('that are switched off are none', () => {
    const concerns = sourceConcerns(sources({ announcements: null, calendar: null }));
    expect(concerns.map(({ key }) => key)).toEqual(['prices', 'signIn', 'priceFields']);
  });
  test('whose cookie ended are told with the reason', () => {
    const prices = { ...well, signInProblem: 'Prices are delayed.' };
    const [, signIn] = sourceConcerns(sources({ prices }));
    expect(signIn).toMatchObject({ state: 'wrong', detail: 'Prices are delayed.' });
  });
});

describe('fields', () => {
  const at = (minutes: number) => OPEN - minutes * 60_000;
  const detailOf = (missing: { name: string; since: number }[]) =>
    sourceConcerns(sources({ prices: { ...well, signInProblem: null, missing } })).find(
      ({ key }) => key === 'priceFields',
    );
  test('that a source sends no more are wrong, each with since when', () => {
    expect(detailOf([{ name: 'VWAP', since: at(18) }])).toMatchObject({
      state: 'wrong',
      detail: 'TradingView is sending no VWAP for any stock since 10:42, Sydney time.',
    });
    const two = [
      { name: 'sectors', since: at(24 * 60) },
      { name: 'VWAP', since: at(18) },
    ];
    expect(detailOf(two)?.detail).toBe(
      'TradingView is sending no sectors for any stock since 17 Nov 11:00, no VWAP since 10:42, Sydney time.',
    );
  });
  test('each last after ten minutes', () => {
    const missing = [
      { name: 'sectors', since: at(10) },
      { name: 'VWAP', since: at(9) },
    ];
    expect(detailOf(missing)?.parts).toEqual([
      { name: 'sectors', lasts: true },
      { name: 'VWAP', lasts: false },
    ]);
  });
  test('are named six at most, and the others counted', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ name: `F${index}`, since: at(1) }));
    expect(detailOf(many)?.detail).toMatch(/no F5 since 10:59, and 3 more, Sydney time\.$/);
  });
  test('of a source that does not answer can not be told', () => {
    const missing = [{ name: 'types', since: at(1) }];
    const states = statesOf(sourceConcerns(sources({ announcements: { ...down, missing } })));
    expect(states).toMatchObject({ announcements: 'wrong', announcementFields: 'unknown' });
  });
});

const host = (more: Partial<HostSeen> = {}): HostSeen => ({
  ...{ now: OPEN, firstLook: OPEN - 30 * DAY_MS, engine: null, clockAhead: [] },
  backups: { newest: OPEN - HOUR_MS, failure: null, warning: null, everyDays: 1 },
  freeBytes: 5e9,
  ...more,
});
const found = (more: Partial<HostSeen>) => statesOf(hostConcerns(host(more)));

describe('the disk', () => {
  const MB = 1024 * 1024;
  test('is low below 500 MB, has room again at 600 MB, and between them stays as it was', () => {
    const state = (freeBytes: number | null) => found({ freeBytes })['disk'];
    expect([500 * MB - 1, 500 * MB, 600 * MB - 1, 600 * MB, null].map(state)).toEqual([
      ...['wrong', 'unchanged', 'unchanged', 'well', 'unknown'],
    ]);
  });
});

describe('the clock', () => {
  test('is wrong if it differs by more than a minute from every push service that answered', () => {
    const state = (...clockAhead: number[]) => found({ clockAhead })['clock'];
    expect(state()).toBe('unknown');
    expect(state(-26 * HOUR_MS)).toBe('wrong');
    expect(state(-26 * HOUR_MS, -1000)).toBe('well');
    const clock = hostConcerns(host({ clockAhead: [-26 * HOUR_MS] })).find(({ key }) => key === 'clock');
    expect(clock?.detail).toStartWith('The clock of this machine is 26 hours behind');
  });
});

describe('the host', () => {
  test('of which all is well', () => {
    const certificate = { host: 'bellbird.example', endsAt: OPEN + 60 * DAY_MS };
    const update = { isNew: false, version: null };
    const states = found({ certificate, update, engine: { isUp: true, problem: null }, clockAhead: [0] });
    expect(new Set(Object.values(states))).toEqual(new Set(['well']));
  });
  test('has a missed backup after 26 hours, and a new installation is given a day', () => {
    const backupOld = (newest: number | null, firstLook = OPEN - 30 * DAY_MS, everyDays = 1) =>
      found({ firstLook, backups: { newest, failure: null, warning: null, everyDays } })['backupOld'];
    expect(backupOld(OPEN - 26 * HOUR_MS)).toBe('well');
    expect(backupOld(OPEN - 26 * HOUR_MS - 1)).toBe('wrong');
    expect(backupOld(OPEN - 7 * DAY_MS, 0, 7)).toBe('well');
    expect(backupOld(OPEN - 7 * DAY_MS - 2 * HOUR_MS - 1, 0, 7)).toBe('wrong');
    expect(backupOld(null)).toBe('wrong');
    expect(backupOld(null, OPEN - HOUR_MS)).toBe('well');
  });
  test('tells of a backup that failed, and not of its age as well', () => {
    const states = found({
      backups: { newest: OPEN - 9 * DAY_MS, failure: 'The disk is full.', warning: null, everyDays: 1 },
    });
    expect(states).toMatchObject({ backupFailed: 'wrong', backupOld: 'well' });
  });
  test('has a target that needs attention though the backup arrived', () => {
    const backups = { newest: OPEN, failure: null, warning: 'Older files could not be removed there.' };
    expect(found({ backups: { ...backups, everyDays: 1 } })).toMatchObject({
      ...{ backupFailed: 'well', backupUntidy: 'wrong' },
    });
  });
  test('has a certificate that ends, at 14 days and at 3', () => {
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
  test('says in words when the certificate ends', () => {
    const detail = (days: number) =>
      hostConcerns(host({ certificate: { host: 'b.example', endsAt: OPEN + days * DAY_MS } })).find(
        ({ key }) => key === 'certificate',
      )?.detail;
    expect(detail(5)).toBe(
      'That of b.example ends in 5 days, 23 Nov 11:00 Sydney. After that browsers refuse the page.',
    );
    expect(detail(1)).toContain('ends in a day');
    expect(detail(0.5)).toContain('ends within a day');
    expect(detail(-1)).toBe('That of b.example ended 17 Nov 11:00 Sydney. Browsers refuse the page.');
  });
  test('has a disk that is low, an update that waits and an engine that is away', () => {
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

describe('services', () => {
  const refused = bad('Telegram bot', 'Telegram does not accept the token.', 'Get the token.');
  const away = doubtful('Telegram bot', 'Telegram could not be reached.', 'Look at the network.');
  const well = good('Telegram bot', 'Telegram knows the bot as bell_bot.');
  test('that are not set up are none', () => {
    expect(serviceConcerns({})).toEqual([]);
  });
  test('are unchecked until they answered, and wrong sooner if only an administrator can help', () => {
    const found = (telegram: ServiceSeen) => serviceConcerns({ telegram })[0];
    expect(found(null)).toMatchObject({ key: 'telegram', state: 'unchecked' });
    expect(found(well)).toMatchObject({ state: 'well' });
    const told = { state: 'wrong', detail: 'Telegram does not accept the token.', remedy: 'Get the token.' };
    expect(found(refused)).toMatchObject({ ...told, afterMs: 2 * MINUTE_MS, platform: 'telegram' });
    expect(found(away)).toMatchObject({ state: 'wrong', afterMs: 5 * MINUTE_MS });
  });
  test('a bot that listens and can’t send does not work; the better reason is given', () => {
    const trouble = 'Telegram asked to wait.';
    expect(carrierSeen('telegram', well, null)).toBe(well);
    expect(carrierSeen('telegram', null, null)).toBe(null);
    expect(carrierSeen('telegram', well, trouble)).toMatchObject({ state: 'warning', says: trouble });
    expect(carrierSeen('telegram', null, trouble)).toMatchObject({ state: 'warning', says: trouble });
    expect(carrierSeen('telegram', refused, trouble)).toBe(refused);
  });
});

describe('the list of what is checked', () => {
  const concern = (key: string, what: string, state: ConcernState, detail = ''): Concern => ({
    ...{ key, what, state, title: '', detail, remedy: '', overTitle: '' },
    ...{ afterMs: 0, overAfterMs: 0, isUrgent: false },
  });
  test('has each thing once, by the worst of its concerns', () => {
    const concerns = [
      concern('prices', 'Prices', 'well'),
      concern('signIn', 'Prices', 'unknown', 'The source is away.'),
      concern('telegram', 'Telegram bot', 'wrong'),
      concern('discord', 'Discord bot', 'wrong'),
      concern('disk', 'Disk', 'unchanged'),
      concern('update', 'New versions', 'unchecked'),
      concern('clock', 'Clock', 'unknown'),
    ];
    expect(checksOf(concerns, new Set(['discord']))).toEqual([
      { what: 'Prices', state: 'unknown' },
      { what: 'Telegram bot', state: 'failing' },
      { what: 'Discord bot', state: 'wrong' },
      { what: 'Disk', state: 'well' },
      { what: 'New versions', state: 'unchecked' },
    ]);
  });
});
