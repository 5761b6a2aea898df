import { describe, expect, test } from 'bun:test';
import { AppError } from '../../../../../src/platform/http/errors.ts';
import { createByteBudget } from '../../../../../src/subjects/calls/server/ledger/byteBudget.ts';

const MB = 1_000_000;
const HOUR_MS = 3_600_000;

function setUp() {
  let now = 0;
  const budget = createByteBudget({ monotonic: () => now });
  return {
    pass: (ms: number) => void (now += ms),
    /** The seconds to wait; 0 if it may be sent. */
    take(address: string, mb: number, ledgerMb = mb): number {
      try {
        budget.take(address, mb * MB, ledgerMb * MB);
        return 0;
      } catch (error) {
        if (!(error instanceof AppError) || error.status !== 429) throw error;
        return Number(new Headers(error.headers).get('retry-after'));
      }
    },
  };
}

describe('the bytes of the ledger that an address may read', () => {
  test('are 500 MB an hour, whatever they are asked for by, and those of another address do not count', () => {
    const { take, pass } = setUp();
    for (let mb = 0; mb < 500; mb += 50) expect(take('a', 50)).toBe(0);
    expect(take('a', 50)).toBe(360);
    expect(take('b', 50)).toBe(0);
    pass(359_000);
    expect(take('a', 50)).toBeWithin(1, 3);
    pass(1100);
    expect(take('a', 50)).toBe(0);
  });

  test('a refusal does not count', () => {
    const { take, pass } = setUp();
    take('a', 490);
    for (let tries = 0; tries < 100; tries += 1) expect(take('a', 50)).toBeGreaterThan(0);
    pass(HOUR_MS);
    expect(take('a', 500)).toBe(0);
  });

  test('are twice a ledger that is larger than half of that', () => {
    const { take } = setUp();
    expect([take('a', 2000), take('a', 2000)]).toEqual([0, 0]);
    expect(take('a', 20, 2000)).toBe(18);
  });
});
