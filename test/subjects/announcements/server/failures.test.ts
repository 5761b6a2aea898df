import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import { anItem, type AsxFixture, createAsxFixture } from '#support/asxFixture.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Tuesday. */
const START = fromSydney('2026-01-20', 11, 0);
const iso = (time: number): string => new Date(time).toISOString();

let fixture: AsxFixture;
beforeEach(() => {
  const items = Array.from({ length: 12 }, (_, at) => anItem(iso(START - at * MINUTE), { symbol: 'CBA' }));
  fixture = createAsxFixture({ now: START, items });
});
afterEach(() => fixture.stop());

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
    await fixture.start();
    fixture.fake.setFault(fault);
    await fixture.pass(MINUTE);
    const { healthy, problem, lastSuccess } = fixture.source.health();
    expect(healthy).toBe(false);
    expect(problem).toStartWith(`ASX ${reason}`);
    expect(problem).toContain('Announcements up to then are shown. Next try in');
    expect(lastSuccess).toBe(START);
    expect(fixture.sink.kept.size).toBe(12);
    fixture.fake.setFault({ kind: 'none' });
    await fixture.pass(3 * MINUTE);
    expect(fixture.source.health()).toMatchObject({ healthy: true, problem: null });
  });

  test('are retried less and less often, and never before the source allows it', async () => {
    await fixture.start();
    fixture.fake.setFault({ kind: 'status', status: 429, headers: { 'retry-after': '1200' } });
    await fixture.pass(19 * MINUTE);
    expect(fixture.fake.requests).toHaveLength(3);
    fixture.fake.setFault({ kind: 'status', status: 500 });
    await fixture.pass(60 * MINUTE);
    expect(fixture.fake.requests.length).toBeLessThan(15);
    expect(fixture.source.health().problem).toContain('Paused after');
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
    fixture.fake.add(...old);
    await fixture.start();
    expect(await fixture.source.refresh('xyz')).toBeNull();
    const own = [...fixture.sink.kept.values()].filter(({ code }) => code === 'XYZ');
    expect(own.map(({ id }) => id)).toEqual(old.slice(0, 5).map(({ documentKey }) => documentKey));
    expect(own[0]?.announcementTypes).toEqual(['Quarterly Activities Report']);
  });

  test('is shared by simultaneous callers, and limited to twenty per minute for all companies', async () => {
    await fixture.start();
    const before = fixture.fake.requests.length;
    const both = await Promise.all([fixture.source.refresh('CBA'), fixture.source.refresh('CBA')]);
    expect(both).toEqual([null, null]);
    expect(fixture.fake.requests).toHaveLength(before + 1);
    for (let at = 0; at < 19; at += 1) await fixture.source.refresh('CBA');
    expect(await fixture.source.refresh('CBA')).toBe('Too many requests to ASX. Try again in 1 minute.');
    expect(fixture.fake.requests).toHaveLength(before + 20);
    fixture.hand.advance(19 * SECOND);
  });

  test.each([
    ['NOBODY', { kind: 'none' }, 'ASX has no company with this code (HTTP 404).'],
    ['../../x', { kind: 'none' }, 'That is not an ASX code.'],
    ['CBA', { kind: 'status', status: 403 }, 'ASX refuses the request (HTTP 403).'],
  ] as const)('%s with %p explains the failure', async (code, fault, sentence) => {
    await fixture.start();
    fixture.fake.setFault(fault);
    expect(await fixture.source.refresh(code)).toBe(sentence);
  });

  test('waits while the exchange or the market’s list requires a pause', async () => {
    await fixture.start();
    fixture.fake.setFault({ kind: 'status', status: 429, headers: { 'retry-after': '90' } });
    await fixture.source.refresh('CBA');
    const asked = fixture.fake.requests.length;
    expect(await fixture.source.refresh('CBA')).toBe('Too many requests to ASX. Try again in 2 minutes.');
    expect(fixture.fake.requests).toHaveLength(asked);
    fixture.fake.setFault({ kind: 'html' });
    await fixture.pass(20 * MINUTE);
    const sentence = await fixture.source.refresh('CBA');
    expect(sentence).toStartWith('ASX sent data that is not a list of announcements.');
    expect(sentence).toContain('Paused after');
  });
});
