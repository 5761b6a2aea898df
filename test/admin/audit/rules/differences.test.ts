import { describe, expect, test } from 'bun:test';
import { differences } from '../../../../src/admin/audit/rules/differences.ts';

describe('what differs between two sides', () => {
  test('is told by the words of its path; what is alike is left out', () => {
    const before = { adminStatus: 'review', plan: { telegramId: null, sent_daily: 1 }, same: [1, 2] };
    const after = { adminStatus: 'rejected', plan: { telegramId: '4711', sent_daily: 1 }, same: [1, 2] };
    expect(differences(before, after)).toEqual({
      shown: [
        { what: 'admin status', before: 'review', after: 'rejected' },
        { what: 'plan › telegram id', before: '–', after: '4711' },
      ],
      more: 0,
    });
  });

  test('is everything where there is one side alone', () => {
    expect(differences(null, { name: 'News', subscribed: true }).shown).toEqual([
      { what: 'name', before: null, after: 'News' },
      { what: 'subscribed', before: null, after: 'true' },
    ]);
    expect(differences({ name: 'News' }, null).shown).toEqual([
      { what: 'name', before: 'News', after: null },
    ]);
    expect(differences(null, null).shown).toEqual([]);
    expect(differences('a', 'b').shown).toEqual([{ what: '', before: 'a', after: 'b' }]);
  });

  test('is bounded, whatever was kept', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(1000)]),
    );
    const { shown, more } = differences(null, wide);
    expect([shown.length, more]).toEqual([40, 60]);
    expect(shown[0]?.after).toHaveLength(301);
    let deep: unknown = 'end';
    for (let level = 0; level < 100; level += 1) deep = { deep };
    expect(differences(null, deep).shown).toHaveLength(1);
  });
});
