import { describe, expect, test } from 'bun:test';
import {
  boundBehind,
  type ListedTrigger,
  placeText,
  readPlace,
  type TriggerKind,
  triggerPage,
} from '../../../../src/subjects/alerts/rules/triggerList.ts';

const NOON = Date.UTC(2026, 10, 18, 1);

const trigger = (kind: TriggerKind, id: number, at: number): ListedTrigger => ({
  ...{ kind, id, alertId: 1, name: null, symbol: 'BHP', symbols: [], event: null, scan: null },
  timestamp: new Date(at).toISOString(),
  marketTime: new Date(at).toISOString(),
  ...{ seen: [], quoteTime: null, source: 'simulator', delayMinutes: 0 },
  ...{ deactivated: false, silent: false, guard: null, withheld: false, delivery: null, sent: [] },
});

/** What the stores give: the newest of a kind behind a place, one more than a page has. */
function newest(all: readonly ListedTrigger[], kind: TriggerKind, before: string | null, limit: number) {
  const { at, id } = boundBehind(before === null ? null : readPlace(before), kind);
  const behind = all.filter((one) => {
    const time = Date.parse(one.timestamp);
    return one.kind === kind && (time < at || (time === at && one.id < id));
  });
  const order = (a: ListedTrigger, b: ListedTrigger) =>
    Date.parse(b.timestamp) - Date.parse(a.timestamp) || b.id - a.id;
  return behind.toSorted(order).slice(0, limit + 1);
}

/** All pages, one after the other. */
function walk(all: readonly ListedTrigger[], limit: number): string[] {
  const walked: string[] = [];
  for (let before: string | null = null, page = 0; page < 100; page += 1) {
    const found = [...newest(all, 'alert', before, limit), ...newest(all, 'scan', before, limit)];
    const { triggers, next } = triggerPage(found, limit);
    walked.push(...triggers.map(({ kind, id }) => `${kind} ${id}`));
    if (next === null) return walked;
    before = next;
  }
  throw new Error('The pages do not end.');
}

describe('the list of all triggers', () => {
  test('has each once over its pages, newest first, also of one moment and of a clock that was set back', () => {
    // A tick writes many at one moment; the ids of both kinds count for themselves.
    const all = [
      ...[1, 2, 3, 4].map((id) => trigger('alert', id, NOON)),
      ...[1, 2, 3].map((id) => trigger('scan', id, NOON)),
      trigger('alert', 5, NOON + 1000),
      trigger('scan', 4, NOON - 1000),
      trigger('alert', 6, NOON - 5000),
    ];
    const inOrder = [
      ...['alert 5', 'alert 4', 'alert 3', 'alert 2', 'alert 1', 'scan 3', 'scan 2', 'scan 1'],
      ...['scan 4', 'alert 6'],
    ];
    for (const limit of [1, 2, 3, 4, 7, 9, 10, 50]) expect(walk(all, limit)).toEqual(inOrder);
  });

  test('ends without a further page when the last one is full, and is one empty page when nothing fired', () => {
    const two = [trigger('alert', 1, NOON), trigger('scan', 1, NOON)];
    expect(triggerPage(two, 2)).toEqual({ triggers: two, next: null });
    expect(triggerPage([], 50)).toEqual({ triggers: [], next: null });
  });

  test('names a place in a text that is read back, and reads nothing else', () => {
    const place = { kind: 'scan', at: NOON, id: 12 } as const;
    expect(readPlace(placeText(place))).toEqual(place);
    for (const text of [
      '',
      '1',
      '1-alert',
      '1-other-1',
      '-1-alert-1',
      '1-alert-1 ',
      '1-alert-1e3',
      `${'9'.repeat(16)}-alert-1`,
    ]) {
      expect(readPlace(text)).toBeNull();
    }
  });
});
