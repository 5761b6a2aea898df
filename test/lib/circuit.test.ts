import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { backoff } from '../../src/lib/httpClient/backoff.ts';
import {
  afterFailure,
  afterSuccess,
  beforeAttempt,
  type Circuit,
  CLOSED,
} from '../../src/lib/httpClient/circuit.ts';
import { retryAfterMs } from '../../src/lib/httpClient/retryAfter.ts';

const rules = { openAfter: 3, intervalMs: 10_000, maxWaitMs: 300_000 };

describe('circuit', () => {
  test('opens after so many failures in a row, probes once, opens again on a failed probe, closes on success', () => {
    let circuit: Circuit = CLOSED;
    circuit = afterFailure(circuit, 0, 20_000, rules);
    circuit = afterFailure(circuit, 0, 40_000, rules);
    expect(circuit).toEqual({ state: 'closed', failures: 2 });
    circuit = afterFailure(circuit, 1000, 80_000, rules);
    expect(circuit).toEqual({ state: 'open', failures: 3, until: 81_000 });
    expect(beforeAttempt(circuit, 80_999)).toEqual(circuit);
    circuit = beforeAttempt(circuit, 81_000);
    expect(circuit).toEqual({ state: 'half-open', failures: 3 });
    circuit = afterFailure(circuit, 81_000, 160_000, rules);
    expect(circuit).toEqual({ state: 'open', failures: 4, until: 241_000 });
    expect(afterSuccess()).toEqual({ state: 'closed', failures: 0 });
  });

  test('a success in between starts the count anew', () => {
    let circuit: Circuit = CLOSED;
    for (let round = 0; round < 5; round += 1) {
      circuit = afterFailure(afterFailure(circuit, 0, 1, rules), 0, 1, rules);
      expect(circuit.state).toBe('closed');
      circuit = afterSuccess();
    }
  });

  test('waits double within ±25 %, are bounded, and never shorter than asked for', () => {
    const input = [fc.integer({ min: 1, max: 200 }), fc.double({ min: 0, max: 0.999, noNaN: true })] as const;
    fc.assert(
      fc.property(...input, fc.option(fc.integer({ min: 0, max: 10_000_000 })), (failures, random, asked) => {
        const wait = backoff(failures, asked, rules, random);
        const doubled = Math.min(rules.maxWaitMs, rules.intervalMs * 2 ** failures);
        expect(wait).toBeGreaterThanOrEqual(Math.max(doubled * 0.75, asked ?? 0));
        expect(wait).toBeLessThanOrEqual(Math.max(doubled * 1.25, asked ?? 0));
      }),
    );
    expect(backoff(1, 10 * 24 * 3_600_000, rules, 0)).toBe(6 * 3_600_000);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 20, 1, 0, 0);
  const cases: [string | null, number | null][] = [
    ['120', 120_000],
    [' 0 ', 0],
    ['1.5', 1500],
    ['Tue, 20 Jan 2026 01:02:00 GMT', 120_000],
    ['Tue, 20 Jan 2026 00:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['', null],
    [null, null],
  ];
  for (const [header, expected] of cases) {
    test(JSON.stringify(header), () => expect(retryAfterMs(header, now)).toBe(expected));
  }
});
