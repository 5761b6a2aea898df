import { describe, expect, test } from 'bun:test';
import { readerOf } from '../../../../web/api/readerOf.ts';
import { idsBetween } from '../../../../src/subjects/alerts/web/watchlist/allAlerts/ManyBar.tsx';
import { triggerPage } from '../../../../src/subjects/alerts/answers/triggers.ts';
import {
  type TriggerPage,
  withNewest,
  withOlder,
} from '../../../../src/subjects/alerts/web/watchlist/triggers/Triggers.tsx';

const readPage = readerOf(triggerPage);
const pageOf = (ids: readonly number[], next: string | null): TriggerPage =>
  readPage({
    triggers: ids.map((id) => ({
      id,
      alertId: 1,
      kind: 'alert',
      symbol: 'BHP',
      timestamp: '2026-11-18T01:00:00Z',
    })),
    next,
  });
const idsOf = ({ triggers }: TriggerPage): number[] => triggers.map(({ id }) => id);

describe('the list of triggers whose newest page is read again', () => {
  const list = withOlder(pageOf([9, 8, 7], 'at 7'), pageOf([6, 5], 'at 5'));

  test('has what came on top, and keeps what was loaded below', () => {
    const now = withNewest(list, pageOf([10, 9, 8], 'at 8'));
    expect(idsOf(now)).toEqual([10, 9, 8, 7, 6, 5]);
    expect(now.next).toBe('at 5');
  });

  test('loses what is gone from the top', () => {
    expect(idsOf(withNewest(list, pageOf([9, 7, 6], 'at 6')))).toEqual([9, 7, 6, 5]);
  });

  test('begins anew where so many came that what is in between is not known, and where that is all there is', () => {
    expect(withNewest(list, pageOf([30, 29, 28], 'at 28'))).toEqual(pageOf([30, 29, 28], 'at 28'));
    expect(withNewest(list, pageOf([9, 8], null))).toEqual(pageOf([9, 8], null));
    expect(withNewest(null, pageOf([9], 'at 9'))).toEqual(pageOf([9], 'at 9'));
    expect(withNewest(list, pageOf([6, 5], 'at 5'))).toEqual(pageOf([6, 5], 'at 5'));
  });
});

test('a page keeps what can be read of it, and what is no list is none', () => {
  const good = {
    id: 1,
    alertId: 2,
    kind: 'scan',
    timestamp: '2026-11-18T01:00:00Z',
    sent: [{ platform: 'telegram', delivery: 'odd' }, { platform: 'fax' }],
  };
  const { triggers, next } = readPage({
    triggers: [good, { ...good, kind: 'other' }, null, 7],
    next: 5,
  });
  expect(triggers).toMatchObject([
    {
      id: 1,
      marketTime: '2026-11-18T01:00:00.000Z',
      symbol: null,
      sent: [{ platform: 'telegram', delivery: 'waiting' }],
    },
  ]);
  expect(next).toBe('5');
  expect(() => readPage('<html>')).toThrow();
});

test('a range goes both ways, and is one row where it has no beginning', () => {
  const ids = ['a', 'b', 'c', 'd'];
  expect(idsBetween(ids, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(idsBetween(ids, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(idsBetween(ids, null, 'c')).toEqual(['c']);
  expect(idsBetween(ids, 'gone', 'c')).toEqual(['c']);
});
