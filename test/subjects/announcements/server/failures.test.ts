import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import { anItem, type AsxFixture, createAsxFixture } from '#support/asxFixture.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Tuesday. */
const START = fromSydney('2026-01-20', 11, 0);
const iso = (time: number): string => new Date(time).toISOString();

let stage: AsxFixture;
beforeEach(() => {
  const items = Array.from({ length: 12 }, (_, at) => anItem(iso(START - at * MINUTE), { symbol: 'CBA' }));
  stage = createAsxFixture({ now: START, items });
});
afterEach(() => stage.stop());

describe('failures', () => {
  test.each([
    ['a page in HTML', { kind: 'html' }, 'sent data that is not a list of announcements'],
    ['other members', { kind: 'otherShape' }, 'sent data that is not a list of announcements'],
    ['403', { kind: 'status', status: 403 }, 'refuses the request (HTTP 403)'],
    ['429', { kind: 'status', status: 429 }, 'asks to slow down (HTTP 429)'],
    [
      'a redirect',
      { kind: 'status', status: 302, headers: { location: 'https://a.test' } },
      'redirects elsewhere (HTTP 302)',
    ],
    ['an empty list', { kind: 'empty' }, 'sent an empty list of announcements'],
  ] as const)('%s is reported, and the old announcements stay', async (_, fault, reason) => {
    await stage.start();
    stage.fake.setFault(fault);
    await stage.pass(MINUTE);
    const { healthy, problem, lastSuccess } = stage.source.health();
    expect(healthy).toBe(false);
    expect(problem).toStartWith(`ASX ${reason}`);
    expect(problem).toContain('Announcements up to then are shown. Next try in');
    expect(lastSuccess).toBe(START);
    expect(stage.sink.kept.size).toBe(12);
    stage.fake.setFault({ kind: 'none' });
    await stage.pass(3 * MINUTE);
    expect(stage.source.health()).toMatchObject({ healthy: true, problem: null });
  });

  test('are retried less and less often, and never before the source allows it', async () => {
    await stage.start();
    stage.fake.setFault({ kind: 'status', status: 429, headers: { 'retry-after': '1200' } });
    await stage.pass(19 * MINUTE);
    expect(stage.fake.requests).toHaveLength(3);
    stage.fake.setFault({ kind: 'status', status: 500 });
    await stage.pass(60 * MINUTE);
    expect(stage.fake.requests.length).toBeLessThan(15);
    expect(stage.source.health().problem).toContain('Paused after');
  });
});

describe('a refresh of one company', () => {
  test('loads its latest five, even older ones, with the types as text', async () => {
    const old = Array.from({ length: 7 }, (_, at) =>
      anItem(iso(START - (at + 30) * 24 * 60 * MINUTE), {
        symbol: 'XYZ',
        announcementTypes: ['Quarterly Activities Report'],
      }),
    );
    stage.fake.add(...old);
    await stage.start();
    expect(await stage.source.refresh('xyz')).toBeNull();
    const own = [...stage.sink.kept.values()].filter(({ code }) => code === 'XYZ');
    expect(own.map(({ id }) => id)).toEqual(old.slice(0, 5).map(({ documentKey }) => documentKey));
    expect(own[0]?.announcementTypes).toEqual(['Quarterly Activities Report']);
  });

  test('is shared by simultaneous callers, and limited to twenty per minute for all companies', async () => {
    await stage.start();
    const before = stage.fake.requests.length;
    const both = await Promise.all([stage.source.refresh('CBA'), stage.source.refresh('CBA')]);
    expect(both).toEqual([null, null]);
    expect(stage.fake.requests).toHaveLength(before + 1);
    for (let at = 0; at < 19; at += 1) await stage.source.refresh('CBA');
    expect(await stage.source.refresh('CBA')).toBe('Too many requests to ASX. Try again in 1 minute.');
    expect(stage.fake.requests).toHaveLength(before + 20);
    stage.hand.advance(19 * SECOND);
  });

  test.each([
    ['NOBODY', { kind: 'none' }, 'ASX has no company with this code (HTTP 404).'],
    ['../../x', { kind: 'none' }, 'That is not an ASX code.'],
    ['CBA', { kind: 'status', status: 403 }, 'ASX refuses the request (HTTP 403).'],
  ] as const)('%s with %p explains the failure', async (code, fault, sentence) => {
    await stage.start();
    stage.fake.setFault(fault);
    expect(await stage.source.refresh(code)).toBe(sentence);
  });

  test('waits while the exchange or the market’s list requires a pause', async () => {
    await stage.start();
    stage.fake.setFault({ kind: 'status', status: 429, headers: { 'retry-after': '90' } });
    await stage.source.refresh('CBA');
    const asked = stage.fake.requests.length;
    expect(await stage.source.refresh('CBA')).toBe('Too many requests to ASX. Try again in 2 minutes.');
    expect(stage.fake.requests).toHaveLength(asked);
    stage.fake.setFault({ kind: 'html' });
    await stage.pass(20 * MINUTE);
    const sentence = await stage.source.refresh('CBA');
    expect(sentence).toStartWith('ASX sent data that is not a list of announcements.');
    expect(sentence).toContain('Paused after');
  });
});
