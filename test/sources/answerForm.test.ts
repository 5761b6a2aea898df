import { describe, expect, test } from 'bun:test';
import { createLog } from '../../src/lib/log.ts';
import { createAnswerForm } from '../../src/sources/answerForm.ts';
import { givenItems, ITEM_FIELDS } from '../../src/sources/announcements/asx/item.ts';
import { EVENT_FIELDS } from '../../src/sources/calendar/fxstreet/event.ts';

const item = {
  ...{ documentKey: '2924-1-2A3_NPS', symbol: 'BHP', headline: 'Cleansing Notice', url: '' },
  ...{ date: '2026-11-18T00:00:00.000Z', isPriceSensitive: false, announcementTypes: ['Cleansing Notice'] },
};
const event = {
  ...{ id: 'ff1f', eventId: '0150', name: 'CPI', dateUtc: '2026-11-18T00:00:00Z', countryCode: 'AU' },
  ...{ currencyCode: 'AUD', volatility: 'HIGH', actual: null },
};
const listOf = <T extends object>(row: T, ...without: (keyof T)[]) =>
  Array.from({ length: 20 }, () =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !without.some((one) => one === name))),
  );

function setUp(source: string, fields: typeof ITEM_FIELDS) {
  const kept: string[] = [];
  const form = createAnswerForm({
    ...{ source, fields, log: createLog(() => {}), wall: { now: () => 5, monotonic: () => 0 } },
    keepAnswer: (name, text) => kept.push(`${name} ${text}`),
  });
  return { form, kept };
}

describe('the form of announcements', () => {
  test('is good where all have their fields, and a changed one names them and keeps the last good', () => {
    const { form, kept } = setUp('asx', ITEM_FIELDS);
    form.note(listOf(item), true);
    expect(kept).toEqual([]);
    form.note(listOf(item, 'announcementTypes'), true);
    form.note(listOf(item, 'announcementTypes'), true);
    expect(form.missing()).toEqual([{ name: 'types', since: 5 }]);
    expect(kept).toEqual([`asx ${JSON.stringify({ at: 5, rows: listOf(item).slice(0, 4) })}`]);
    form.note(listOf(item).slice(0, 2), true);
    expect(form.missing()).toHaveLength(1);
    form.note(listOf(item), true);
    expect(form.missing()).toEqual([]);
  });
  test('is not good where an answer is refused as a whole', () => {
    const { form, kept } = setUp('asx', ITEM_FIELDS);
    form.note(listOf(item), true);
    form.note([], false);
    expect([kept.length, form.missing()]).toEqual([1, []]);
  });
  test('is read of nothing but a list', () => {
    expect(givenItems({ data: { items: [1] } })).toEqual([1]);
    for (const body of [null, 'x', {}, { data: [] }, { data: { items: {} } }])
      expect(givenItems(body)).toEqual([]);
  });
});

test('the form of the calendar needs no figures', () => {
  const { form } = setUp('fxstreet', EVENT_FIELDS);
  const note = (...without: (keyof typeof event)[]) => {
    for (let answer = 0; answer < 2; answer += 1) form.note(listOf(event, ...without), true);
    return form.missing().map(({ name }) => name);
  };
  expect(note('actual')).toEqual([]);
  expect(note('volatility', 'eventId')).toEqual(['impacts', 'series']);
  expect(note()).toEqual([]);
});
