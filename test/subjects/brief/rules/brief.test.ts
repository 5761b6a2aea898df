import { expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { Announcement, Stock } from '#market/rules/stock.ts';
import { lastClose, listNews, type Market, marketNews } from '#subjects/brief/rules/brief.ts';
import { aNewsDay } from '#support/aNewsDay.ts';
import { aPreOpenStock, aStock } from '#support/aStock.ts';

const DAY = '2026-11-18';
const at = (hour: number, minute: number, date = DAY): number => fromSydney(date, hour, minute);

const news = (time: number, isPriceSensitive = true): Stock['news'] => {
  const item: Announcement = {
    headline: 'Report',
    url: null,
    announcementTypes: [],
    isPriceSensitive,
    time: new Date(time).toISOString(),
  };
  return { [DAY]: aNewsDay({ announcements: { one: item } }) };
};
const gapping = (code: string, gap: number | null, value: number | null, time = at(8, 30)) =>
  aPreOpenStock({ code, indicativeChangePercent: gap, match_value: value, news: news(time) ?? {} });

function newsOf(all: readonly Stock[], given: Partial<Market> = {}) {
  const stocks = new Map(all.map((stock) => [stock.code, stock]));
  const nothing = { flips: [], statusesOf: () => [], events: [], overnight: [] };
  return marketNews({ ...nothing, stocks, now: at(9, 50), date: DAY, ...given });
}
const codes = (all: readonly { code: string }[]): string[] => all.map(({ code }) => code);

test('announcements are in order of gap, those with little match value last', () => {
  const found = newsOf([
    gapping('TINY', 40, 500),
    gapping('FALL', -9, 80_000),
    gapping('RISE', 4, 90_000),
    gapping('RICH', 4, 200_000),
    gapping('NONE', null, null),
  ]);
  expect(codes(found.announcements)).toEqual(['FALL', 'RICH', 'RISE', 'TINY', 'NONE']);
});

test('without match prices announcements are newest first, and gaps are unknown rather than zero', () => {
  const found = newsOf([gapping('OLD', null, null, at(8, 0)), gapping('NEW', null, null, at(9, 0))]);
  expect(codes(found.announcements)).toEqual(['NEW', 'OLD']);
  expect(found.gaps).toBeNull();
});

test('only price-sensitive announcements since the last close count, up to now', () => {
  const found = newsOf([
    gapping('BEFORE', 1, 20_000, at(15, 59, '2026-11-17')),
    gapping('AFTER', 1, 20_000, at(16, 1, '2026-11-17')),
    gapping('FUTURE', 1, 20_000, at(9, 51)),
    aPreOpenStock({ code: 'PLAIN', news: news(at(9, 0), false) ?? {} }),
  ]);
  expect(codes(found.announcements)).toEqual(['AFTER']);
});

test.each([
  ['2026-11-23', '2026-11-20', 16, 0],
  ['2026-12-29', '2026-12-24', 14, 10],
  ['2026-10-06', '2026-10-05', 16, 0],
])('the close before %s is on %s at %d:%d', (date, day, hour, minute) => {
  expect(lastClose(date)).toBe(at(hour, minute, day));
});

test('leaves out an old suspension, and gives a new halt and a lift their times', () => {
  const stocks = [
    aStock({ code: 'SUS', status: 'Suspended' }),
    aStock({ code: 'HLT', status: 'Halted' }),
    aPreOpenStock({ code: 'LFT' }),
  ];
  const statuses: Record<string, { time: number; status: string }[]> = {
    SUS: [{ time: 1, status: 'Suspended' }],
    HLT: [
      { time: 1, status: 'Pre Open' },
      { time: 2, status: 'Halted' },
    ],
    LFT: [
      { time: 1, status: 'Halted' },
      { time: 3, status: 'Pre Open' },
    ],
  };
  const { halts } = newsOf(stocks, { statusesOf: (code) => statuses[code] ?? [] });
  expect(halts.map(({ code, kind, time }) => [code, kind, time])).toEqual([
    ['LFT', 'lifted', 3],
    ['HLT', 'halted', 2],
  ]);
});

test('after the open gaps are those of the opening auction', () => {
  const snapshot = {
    capturedAt: new Date(at(10, 0)).toISOString(),
    indicativeChangePercent: 3,
    match_price: 1,
    match_vol: 1,
    match_value: 70_000,
    buy_surplus: null,
  };
  const stock = aStock({ code: 'OPN', indicativeChangePercent: null, preOpen: { snapshot } });
  const found = newsOf([stock], { now: at(11, 0) });
  expect(found.gaps).toMatchObject({ up: 1, value: 70_000 });
});

test('own lists show stocks with news first, then large gaps, and leave out the rest', () => {
  const stocks = [
    aPreOpenStock({ code: 'GAP', indicativeChangePercent: 9 }),
    aPreOpenStock({ code: 'CALM', indicativeChangePercent: 0.5 }),
    aPreOpenStock({ code: 'NEWS', indicativeChangePercent: 0.1, news: news(at(9, 0), false) ?? {} }),
  ];
  const all = new Map(stocks.map((stock) => [stock.code, stock]));
  const lists = listNews(newsOf(stocks), all, ['GAP', 'CALM', 'GONE', 'NEWS']);
  expect(lists.map(({ code, news: own }) => [code, own])).toEqual([
    ['NEWS', ['Report']],
    ['GAP', []],
  ]);
});
