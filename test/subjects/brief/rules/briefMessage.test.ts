import { expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { Brief } from '#subjects/brief/rules/brief.ts';
import { briefMessage } from '#subjects/brief/rules/briefMessage.ts';

const DAY = '2026-11-18';
const at = (hour: number, minute: number): number => fromSydney(DAY, hour, minute);
const stock = (code: string, gap: number | null) => ({ code, name: code, gap, value: 1 });
const source = { label: 'Simulated', problem: null };

const EMPTY: Brief = {
  state: 'ready',
  date: DAY,
  at: at(9, 50),
  next: at(23, 0),
  overnight: [],
  gaps: null,
  announcements: [],
  announcementCount: 0,
  flips: [],
  halts: [],
  lists: [],
  watched: 0,
  events: [],
};

test('a brief of a source that has nothing has no empty lines', () => {
  const { title, lines, link } = briefMessage(EMPTY, source, null);
  expect(title).toBe('Morning brief');
  expect(lines).toEqual(['Prices: Simulated. Times are in Sydney time.']);
  expect(link).toBeNull();
});

test('a full brief names the first stocks and counts the others', () => {
  const event = { currency: 'AUD', figures: '' };
  const message = briefMessage(
    {
      ...EMPTY,
      gaps: { up: 1200, down: 3, unchanged: 0, stocks: 2000, value: 1 },
      overnight: [
        { id: 'spi', last: null, change: -0.5, time: 0 },
        { id: 'aud', last: 0.65, change: 0, time: 0 },
      ],
      lists: [{ ...stock('BHP', 1.5), news: ['Quarterly Report', 'Surplus turned to buyers'] }],
      announcements: ['A', 'B', 'C', 'D', 'E'].map((code) => ({
        ...stock(code, 5),
        headline: 'Update',
        time: 0,
        more: 0,
      })),
      announcementCount: 70,
      halts: [{ ...stock('HLT', null), kind: 'lifted', time: null }],
      events: [
        { ...event, id: '1', name: 'Past', time: at(2, 0) },
        { ...event, id: '2', name: 'CPI', time: at(11, 30) },
      ],
    },
    source,
    'https://bellbird.test',
  );
  expect(message.title).toBe('Morning brief: 1,200 gap up, 3 down');
  expect(message.lines).toEqual([
    'SPI 200 −0.50% · AUD 0.00%',
    'My lists: BHP +1.50%, Quarterly Report',
    'Announcements: A +5.00%, Update; B +5.00%, Update; C +5.00%, Update; D +5.00%, Update; 66 more',
    'Halts: HLT trades again',
    'Events of HIGH impact: 11:30 AUD CPI',
    'Prices: Simulated. Times are in Sydney time.',
  ]);
  expect(message.link?.url).toBe('https://bellbird.test/#/brief');
});
