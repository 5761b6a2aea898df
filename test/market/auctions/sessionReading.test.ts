import { expect, test } from 'bun:test';
import { nextTurn } from '../../../src/lib/nextTurn.ts';
import { createSessionReading } from '../../../src/market/auctions/sessionReading.ts';
import type { KnownSession } from '../../../src/sources/quotes/history.ts';

/** A session in this many parts. */
function sessionOf(parts: number, fails = false) {
  const read: number[] = [];
  const session: KnownSession = {
    of: () => ({
      columns: { time: [], price: [], volume: [], surplus: [] },
      thinned: false,
      statuses: [],
      auctions: [],
    }),
    isAtHand: () => read.length >= parts,
    readOn() {
      if (fails) throw new Error('The file is damaged.');
      read.push(read.length);
    },
  };
  return { session, read };
}

test('others have their turn between the parts of a session that is read', async () => {
  const { session, read } = sessionOf(20);
  const ready = createSessionReading(session)();
  const seen: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(read.length);
  }
  // Not all at once, and on in every turn.
  expect(seen[0]).toBeLessThan(5);
  expect(seen.at(-1)).toBeGreaterThan(seen[0] ?? 0);
  await ready;
  expect(read).toHaveLength(20);
});

test('many who ask have it read once', async () => {
  const { session, read } = sessionOf(20);
  const ready = createSessionReading(session);
  await Promise.all(Array.from({ length: 50 }, ready));
  expect(read).toHaveLength(20);
});

test('what can not be read is an error for each who waits, and tried again for the next', async () => {
  const ready = createSessionReading(sessionOf(3, true).session);
  const told = await Promise.allSettled([ready(), ready()]);
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ready().catch((error: unknown) => String(error))).toBe('Error: The file is damaged.');
});

test('a source that tells its session only as it happens is not waited for', async () => {
  expect(await Promise.race([createSessionReading(undefined)().then(() => 'at once'), nextTurn()])).toBe(
    'at once',
  );
});
