import { expect } from 'bun:test';
import type { Readings } from '../../src/admin/metrics/server/metrics.ts';
import { aRelay, aRelayState } from './relayStates.ts';

const NOW = 1_790_000_000_000;

/** Of a server of which hardly anything is known yet. */
export const quietReadings: Readings = {
  about: () => ({ version: '1', commit: 'a"b\\c\nd' }),
  clients: () => ({ market: 3, alerts: 2 }),
  tick: () => ({ ticks: 1, withChanges: 1, lastMs: 8.2, slowestMs: 9, totalMs: 8.2, lagMs: 0 }),
  stocks: () => 2000,
  source: () => ({ measuredLagMs: null }),
  outbox: () => ({ waiting: 1, sending: 0, failed: 2, sentToday: 9 }),
  alerts: () => ({ alerts: 4, waiting: 0, unsaved: 0 }),
  requests: () => ({ '2xx': 1, '3xx': 0, '4xx': 0, '5xx': 0, other: 0 }),
  outgoing: () => [],
  process: () => ({
    uptimeSec: 1,
    memory: { resident: 1, heap: 1, external: 1 },
    cpuSec: { user: 1, system: 1 },
    loopLag: { lastMs: 1, worstMs: 2 },
  }),
  relays: () => null,
  database: () => ({ file: 1, free: 0, writeAheadLog: 0, pages: 1, pageSize: 1 }),
  now: () => NOW,
  sources: () => ({ prices: { healthy: false, lastSuccess: null } }),
  services: () => ({ telegram: null }),
  backups: () => ({ count: 0, newest: null, hasFailed: false, everyDays: 1 }),
  disk: () => null,
  logged: () => [],
  certificateEnd: () => null,
  isUpdateWaiting: () => null,
  notices: () => ({}),
};

/** Of a server that knows a value of each metric. */
export const fullReadings: Readings = {
  ...quietReadings,
  source: () => ({ measuredLagMs: 1200 }),
  outgoing: () => [{ service: 'telegram', calls: 5, errors: 1 }],
  relays: () => aRelayState({ relays: [aRelay({})] }),
  sources: () => ({
    prices: { healthy: true, lastSuccess: NOW - 12_000 },
    calendar: { healthy: false, lastSuccess: null },
  }),
  services: () => ({ telegram: { state: 'warning' } }),
  backups: () => ({
    ...{ count: 1, hasFailed: true, everyDays: 7 },
    newest: { madeAt: NOW - 3_600_000, bytes: 4096 },
  }),
  disk: () => ({ free: 5e8, size: 3e10 }),
  logged: () => [{ part: 'outbox', level: 'error', count: 3 }],
  certificateEnd: () => 1_800_000_000_000,
  isUpdateWaiting: () => true,
  notices: () => ({ disk: true, prices: false }),
};

const NAME = '[a-z][a-z0-9_]*';
const LABEL = `[a-z]+="(?:[^"\\\\\n]|\\\\[\\\\"n])*"`;
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (\\S.*)$`);
const SAMPLE = new RegExp(
  `^((${NAME})(?:\\{${LABEL}(?:,${LABEL})*\\})?) (NaN|[+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
);

/**
 * Reads version 0.0.4 of the text format as strictly as it is written: each metric once and together, first HELP, then TYPE,
 * then its samples, each series once; counters alone end with `_total`, and units are those of Prometheus.
 */
export function readExposition(text: string): { types: Map<string, string>; samples: Map<string, number> } {
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  let helped = '';
  let current = '';
  expect(text).toEndWith('\n');
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, about = '', rest = ''] = COMMENT.exec(line) ?? [];
    if (kind === 'HELP') {
      expect({ line, isNew: !types.has(about), isSentence: rest.endsWith('.') }).toEqual({
        ...{ line, isNew: true, isSentence: true },
      });
      helped = about;
    } else if (kind === 'TYPE') {
      expect({ line, helped }).toEqual({ line, helped: about });
      expect(['gauge', 'counter']).toContain(rest);
      expect({ about, isCounter: about.endsWith('_total') }).toEqual({
        about,
        isCounter: rest === 'counter',
      });
      expect(about).toMatch(/^bellbird_/);
      expect(about).not.toMatch(/_(?:ms|milliseconds|minutes|hours|days|kb|mb|megabytes|percent)(?:_|$)/);
      types.set(about, rest);
      current = about;
    } else {
      const [, series = '', name = '', value = ''] = SAMPLE.exec(line) ?? [];
      expect({ line, name, isNew: !samples.has(series) }).toEqual({ line, name: current, isNew: true });
      samples.set(series, Number(value.replace('Inf', 'Infinity')));
    }
  }
  return { types, samples };
}
