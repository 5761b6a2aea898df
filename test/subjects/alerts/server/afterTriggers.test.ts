import { expect, test } from 'bun:test';
import type { Trigger } from '../../../../src/subjects/alerts/rules/trigger.ts';
import { AfterTriggers } from '../../../../src/subjects/alerts/server/afterTriggers.ts';
import { createLog, type LogLine } from '../../../../src/lib/log.ts';
import { anAlert, aTrigger } from '../../../support/aTrigger.ts';

function setUp(triggered: (trigger: Trigger) => void = () => {}, beforeSettling: () => void = () => {}) {
  const told: number[] = [];
  const turns: (() => void)[] = [];
  const changed: unknown[][] = [];
  const settled: number[][] = [];
  const released: number[][] = [];
  const lines: LogLine[] = [];
  const after = new AfterTriggers({
    stream: {
      triggered(trigger) {
        told.push(trigger.id);
        triggered(trigger);
      },
      changed: (...args) => void changed.push(args),
    },
    indicators: {
      alertsChanged: (ids) => void released.push([...ids]),
      hasAlertValues: (userId) => userId % 2 === 0,
    },
    applyDeferred(userIds) {
      beforeSettling();
      settled.push([...userIds]);
    },
    later: (run) => void turns.push(run),
    log: createLog((line) => lines.push(line)),
  });
  return { after, told, turns, changed, released, settled, lines };
}

const many = (count: number, from = 1): Trigger[] =>
  Array.from({ length: count }, (_, index) =>
    aTrigger({ id: from + index, userId: from + index, deactivated: true }),
  );

test('a hundred triggers are told at once, more a turn later, in their order', () => {
  const { after, told, turns } = setUp();
  after.triggered(many(250));
  expect(told).toHaveLength(100);
  // What fires meanwhile waits behind them.
  after.triggered(many(1, 251));
  expect(turns).toHaveLength(1);
  const lengths: number[] = [];
  while (turns.length > 0) {
    turns.shift()?.();
    lengths.push(told.length);
  }
  expect(lengths).toEqual([200, 251]);
  expect(told).toEqual(Array.from({ length: 251 }, (_, index) => index + 1));
  after.triggered(many(2, 300));
  expect(told.slice(251)).toEqual([300, 301]);
});

test('once it was stopped nobody is told any more', () => {
  const { after, told, turns } = setUp();
  after.triggered(many(250));
  after.stop();
  while (turns.length > 0) turns.shift()?.();
  expect(told).toHaveLength(100);
});

test('a failure is logged and holds up none of the others', () => {
  const { after, told, turns, lines } = setUp(({ id }) => {
    if (id === 1 || id === 3) throw new Error('The database is away.');
  });
  after.triggered(many(101));
  turns.shift()?.();
  expect(told).toHaveLength(101);
  expect(lines).toMatchObject([{ level: 'error', properties: { failed: 2 } }]);
});

test('values of users whose alerts are off now are let go at ticks, twenty users at a time', () => {
  const { after, released } = setUp();
  after.releaseUnread();
  expect(released).toEqual([]);
  after.triggered(many(100));
  after.triggered([aTrigger({ userId: 1000, deactivated: false })]);
  for (let tick = 0; tick < 4; tick += 1) after.releaseUnread();
  expect(released.map(({ length }) => length)).toEqual([20, 20, 10]);
  expect(new Set(released.flat())).toEqual(new Set(Array.from({ length: 50 }, (_, index) => 2 * index + 2)));
});

test('alerts that were stopped are told as changed, and let go of', () => {
  const { after, changed, released } = setUp();
  after.stopped([anAlert({ id: 3, userId: 2, symbol: 'BHP' })]);
  after.releaseUnread();
  expect(changed).toEqual([[2, 3, 'BHP']]);
  expect(released).toEqual([[2]]);
});

test('alerts are settled before what is still read of them is worked out, and otherwise it waits', () => {
  let isFull = true;
  const { after, released, settled } = setUp(undefined, () => {
    if (isFull) throw new Error('The disk is full');
  });
  after.triggered(many(4));
  after.releaseUnread();
  expect(released).toEqual([]);
  isFull = false;
  after.releaseUnread();
  expect(settled).toEqual([[2, 4]]);
  expect(released).toEqual(settled);
});
