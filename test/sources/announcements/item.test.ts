import { describe, expect, test } from 'bun:test';
import { readAnswer, readItem } from '#sources/announcements/asx/item.ts';

const NOW = Date.UTC(2026, 0, 20, 0, 0, 0);
const base = 'https://documents.test';
const GOOD = {
  symbol: 'TAR',
  headline: 'Cleansing Notice',
  date: '2026-01-19T09:25:06.000Z',
  documentKey: '2924-03049860-6A1308887',
  isPriceSensitive: false,
  url: '',
  announcementTypes: ['Cleansing Notice'],
};
const NO_KEY = 'an announcement without a usable document key';
const read = (change: Record<string, unknown>) => {
  const result = readItem({ ...GOOD, ...change }, { base, code: null, now: NOW });
  return result.ok ? result.value : result.error;
};

describe('an announcement in a list', () => {
  test.each([
    ['a list', { announcementTypes: ['Trading Halt', 'Appendix 2A'] }, ['Trading Halt', 'Appendix 2A']],
    [
      'one text in capitals',
      { announcementTypes: undefined, announcementType: 'DISTRIBUTION ANNOUNCEMENT' },
      ['Distribution Announcement'],
    ],
    [
      'a code within the text',
      { announcementTypes: undefined, announcementType: 'APPENDIX 4E' },
      ['Appendix 4E'],
    ],
    ['one text under the name of the list', { announcementTypes: 'Progress Report' }, ['Progress Report']],
    ['duplicates and non-texts', { announcementTypes: ['A', 'A', 7, null] }, ['A']],
    ['none', { announcementTypes: undefined }, []],
    ['something else', { announcementTypes: { a: 1 } }, []],
  ])('has the types %s', (_, change, expected) => {
    expect(read(change)).toMatchObject({ announcementTypes: expected });
  });

  test('has a trimmed headline', () => {
    expect(read({ headline: ' Cleansing  Notice ' })).toMatchObject({ headline: 'Cleansing  Notice' });
  });

  test('has a link from its key and the configured base, whatever the list contains', () => {
    const url = `${base}/asx-research/1.0/file/2924-03049860-6A1308887`;
    expect(read({ url: 'https://elsewhere.test/a.pdf' })).toMatchObject({ url, document: url });
  });

  test.each([
    ['2026-01-19T09:25:06.000Z', Date.UTC(2026, 0, 19, 9, 25, 6)],
    ['2026-01-19T09:25:06', Date.UTC(2026, 0, 19, 9, 25, 6)],
    ['2026-01-19T09:25:06.5', Date.UTC(2026, 0, 19, 9, 25, 6, 500)],
    ['2026-01-19T20:25:06+11:00', Date.UTC(2026, 0, 19, 9, 25, 6)],
  ])('has a UTC time: %s', (date, time) => {
    expect(read({ date })).toMatchObject({ time });
  });

  test.each([
    ['2924-03047100_PS-2A1648715', undefined, true],
    ['2924-03047100_NPS-2A1648715', undefined, false],
    ['2924-03047100_NPS-2A1648715', true, true],
    ['2924-03047100-2A1648715', 'true', true],
  ])('is price sensitive by its mark or its key: %s %p', (documentKey, isPriceSensitive, expected) => {
    expect(read({ documentKey, isPriceSensitive })).toMatchObject({
      id: documentKey,
      plainKey: '2924-03047100-2A1648715',
      isPriceSensitive: expected,
    });
  });

  test.each([
    ['no key', { documentKey: undefined }, NO_KEY],
    ['a key with a path', { documentKey: '../../etc' }, NO_KEY],
    ['a key that every object has', { documentKey: '__proto__' }, NO_KEY],
    ['no code', { symbol: '' }, `${GOOD.documentKey}: not an ASX code`],
    ['no headline', { headline: ' \n ' }, `${GOOD.documentKey}: no headline`],
    ['no time', { date: 'soon' }, `${GOOD.documentKey}: no time of release`],
    ['a future time', { date: '2026-01-22T00:00:00Z' }, `${GOOD.documentKey}: dated in the future`],
    ['no mark', { isPriceSensitive: null }, `${GOOD.documentKey}: no price-sensitive flag`],
  ])('is rejected with %s', (_, change, reason) => {
    expect(read(change)).toBe(reason);
  });
});

describe('a list answer', () => {
  const answer = (body: unknown) => readAnswer(body, { base, code: null, now: NOW });

  test('skips only the unreadable announcement', () => {
    const items = [GOOD, { ...GOOD, documentKey: '2' }, { ...GOOD, headline: null }];
    expect(answer({ data: { count: 3, items } })).toMatchObject({
      kind: 'list',
      given: 3,
      refused: 1,
      total: 3,
      firstRefusal: '2924-03049860-6A1308887: no headline',
    });
  });

  test.each([
    ['no list', 'text', 'sent data that is not a list of announcements'],
    ['no data', { items: [] }, 'sent data that is not a list of announcements'],
    ['no items', { data: { rows: [] } }, 'sent a list of announcements in an unknown format'],
    [
      'other members',
      { data: { items: [{ id: 1 }, { id: 2 }, GOOD] } },
      `sent 2 of 3 announcements in an unknown format (${NO_KEY})`,
    ],
    [
      'another order',
      {
        data: {
          items: [1, 2, 3, 4, 5].map((n) => ({ ...GOOD, documentKey: `k${n}`, date: `2026-01-0${n}` })),
        },
      },
      'sent its announcements in an unknown order',
    ],
  ])('is unusable with %s', (_, body, reason) => {
    expect(answer(body)).toEqual({ kind: 'unusable', reason });
  });
});
