import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { CLOSED } from '../../../src/lib/httpClient/circuit.ts';
import { healthOf } from '../../../src/sources/quotes/tradingview/feedState.ts';
import { delayOf, dominantMode, measureLag } from '../../../src/sources/quotes/tradingview/delay.ts';
import { buildScanRequest, cookieHeader, scanUrl } from '../../../src/sources/quotes/tradingview/answer.ts';

describe('request', () => {
  test('any form of the base address gives the same scan address', () => {
    for (const base of ['http://h:1', 'http://h:1/', 'http://h:1//', ' http://h:1/ ']) {
      expect(scanUrl(base)).toBe('http://h:1/australia/scan');
    }
    expect(scanUrl('https://h/proxy/')).toBe('https://h/proxy/australia/scan');
  });

  test('one range over the whole market, sorted by name, of every class of listing', () => {
    const request = buildScanRequest({
      url: 'http://h',
      cookie: null,
      columns: ['name', 'close'],
      timeoutMs: 1000,
    });
    expect(JSON.parse(request.body)).toMatchObject({
      markets: ['australia'],
      columns: ['name', 'close'],
      range: [0, 5000],
      sort: { sortBy: 'name' },
      filter: [{ left: 'type', operation: 'in_range', right: ['stock', 'dr', 'fund'] }],
    });
    expect(request.headers).not.toHaveProperty('cookie');
  });

  test('the cookie is a session id or a whole cookie text', () => {
    expect(cookieHeader('abc123')).toBe('sessionid=abc123');
    expect(cookieHeader('sessionid=abc; sessionid_sign=v1')).toBe('sessionid=abc; sessionid_sign=v1');
    expect(cookieHeader('  ')).toBeNull();
    expect(cookieHeader(null)).toBeNull();
  });
});

describe('delay', () => {
  const minutes = (count: number): number => count * 60_000;
  const openSpan = { phase: 'open', since: fromSydney('2026-01-20', 9, 59, 45) } as const;
  const now = fromSydney('2026-01-20', 11, 0);
  const evidence = (update: number | null, minute: number | null) => ({
    modes: new Map<string, number>(),
    newestUpdate: update,
    newestMinute: minute,
  });

  test('the older clue is believed', () => {
    expect(measureLag(evidence(now - 1000, now - minutes(21)), openSpan, now)).toBe(minutes(20));
    expect(measureLag(evidence(now - minutes(20), null), openSpan, now)).toBe(minutes(20));
    expect(measureLag(evidence(null, now - minutes(1)), openSpan, now)).toBe(0);
  });
  test('not measured outside continuous trading, nor without clues', () => {
    expect(measureLag(evidence(now, now), { ...openSpan, phase: 'pre-cspa' }, now)).toBeNull();
    expect(measureLag(evidence(null, null), openSpan, now)).toBeNull();
  });
  test('trades of the day before tell nothing just after the open, and of a frozen feed later', () => {
    const old = fromSydney('2026-01-19', 16, 11);
    expect(measureLag(evidence(old, null), openSpan, openSpan.since + minutes(10))).toBeNull();
    expect(measureLag(evidence(old, null), openSpan, now)).toBe(now - old);
  });

  const labels: [string | null, number | null, string, number][] = [
    [null, null, 'Delayed 20 min', 20],
    ['delayed_streaming_1200', null, 'Delayed 20 min', 20],
    ['delayed_streaming_900', null, 'Delayed 15 min', 15],
    ['streaming', null, 'Delay not measured yet', 20],
    ['streaming', minutes(0.2), 'Live', 0],
    ['delayed_streaming_1200', minutes(0.2), 'Live', 0],
    ['streaming', minutes(21), 'Delayed 20 min', 20],
    ['delayed_streaming_1200', minutes(22), 'Delayed 20 min', 20],
    ['delayed_streaming_900', minutes(16), 'Delayed 15 min', 15],
    ['delayed_streaming_1200', minutes(31), 'Delayed 31 min', 31],
    ['delayed_streaming_1200', minutes(600), 'Prices 10 h old', 600],
  ];
  for (const [mode, lag, label, delayMinutes] of labels) {
    test(`${mode} measured ${lag} → ${label}`, () =>
      expect(delayOf(mode, lag)).toEqual({ label, minutes: delayMinutes }));
  }
  test('the mode of most rows counts', () => {
    expect(
      dominantMode(
        new Map([
          ['streaming', 3],
          ['delayed_streaming_1200', 2000],
        ]),
      ),
    ).toBe('delayed_streaming_1200');
    expect(dominantMode(new Map())).toBeNull();
  });
});

describe('health', () => {
  const now = fromSydney('2026-01-20', 11, 0);
  const fine = {
    circuit: CLOSED,
    failure: null,
    lastSuccess: now - 5000,
    nextAttempt: now + 5000,
    measuredLagMs: 1_200_000,
    shortList: null,
    notices: { missing: [], login: 'unchanged' as const },
  };
  test('healthy after a good poll', () =>
    expect(healthOf(fine, now)).toEqual({
      healthy: true,
      problem: null,
      lastSuccess: now - 5000,
      measuredLagMs: 1_200_000,
    }));
  test('before the first answer', () =>
    expect(healthOf({ ...fine, lastSuccess: null, measuredLagMs: null }, now)).toMatchObject({
      healthy: false,
      problem: 'Waiting for the first answer from TradingView.',
    }));
  test('a failed poll says what happened, how old the prices are and when it goes on', () =>
    expect(
      healthOf(
        {
          ...fine,
          failure: 'answered HTTP 503',
          circuit: { state: 'open', failures: 5, until: now + 120_000 },
          nextAttempt: now + 120_000,
        },
        now,
      ).problem,
    ).toBe(
      'TradingView answered HTTP 503. The prices shown are 5 seconds old. Paused after 5 failures in a row. Next try in 2 minutes.',
    ));
  test('a newest trade that is far too old, in continuous trading only', () => {
    const frozen = { ...fine, measuredLagMs: 45 * 60_000 };
    expect(healthOf(frozen, now).problem).toBe(
      "TradingView's newest trade is 45 minutes old, much older than its usual delay.",
    );
    expect(healthOf({ ...frozen, lastSuccess: now }, fromSydney('2026-01-20', 20, 0)).healthy).toBe(true);
  });
});
