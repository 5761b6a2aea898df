import { expect, test } from 'bun:test';
import { companyEventText, exDividendEvents, releasedEvent } from '#subjects/calendar/rules/companyEvents.ts';

const TIME = Date.parse('2026-01-19T21:31:00Z');

const announced = (headline: string, announcementTypes: string[] = [], change: object = {}) => ({
  id: headline,
  code: 'NVU',
  headline,
  url: null,
  announcementTypes,
  time: TIME,
  ...change,
});

test('a halt and a raising are events at their release; other announcements are none', () => {
  const raising = releasedEvent(announced('$7.5M Placement', ['Placement', 'Trading Halt Lifted']));
  expect(raising).toMatchObject({
    code: 'NVU',
    kinds: ['lifted', 'raising'],
    time: '2026-01-19T21:31:00.000Z',
    date: null,
  });
  expect(raising && companyEventText(raising)).toBe('Halt lifted, capital raising');
  expect(releasedEvent(announced('Trading Halt', ['Trading Halt']))?.kinds).toEqual(['halt']);
  expect(
    releasedEvent(announced('Quarterly Activities Report', ['Second Quarter Activities Report'])),
  ).toBeNull();
  expect(releasedEvent(announced('Dividend/Distribution - PL8', ['Dividend Rate']))).toBeNull();
});

test('an ex-dividend date is an event only if a headline states it; the newest of a stock replaces an earlier one', () => {
  const events = exDividendEvents(
    [
      announced('Update: ex-dividend date 22 January 2026'),
      announced('Ex-dividend date 21 January 2026'),
      announced('Dividend/Distribution - PL8', ['Dividend Record Date'], { code: 'PL8' }),
      announced('Ex-dividend 19 January 2026', [], { code: 'OLD' }),
      announced('Ex-dividend 20 January 2026', [], { code: 'NOW' }),
    ],
    '2026-01-20',
  );
  expect(events.map(({ code, kinds, date, time }) => [code, kinds.join(), date, time])).toEqual([
    ['NVU', 'exDividend', '2026-01-22', null],
    ['NOW', 'exDividend', '2026-01-20', null],
  ]);
});
