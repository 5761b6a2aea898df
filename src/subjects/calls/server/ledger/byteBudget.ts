import type { Stopwatch } from '#lib/clock.ts';
import { forgetOldest, waitText } from '#lib/rateLimit.ts';
import { refusedFor } from '#platform/http/errors.ts';

/** Bytes that one address may read in an hour; of a larger ledger twice its size, so that everyone can verify it. */
const HOUR_BYTES = 500_000_000;
const WHOLE_LEDGERS = 2;
const HOUR_MS = 3_600_000;
const MAX_ADDRESSES = 10_000;

export type ByteBudget = {
  /**
   * Counts bytes before they are sent. The count falls evenly to zero within an hour.
   * @param ledgerBytes the size of the whole ledger
   * @throws AppError 429 if they do not fit, unless nothing was sent to this address
   */
  take(address: string, bytes: number, ledgerBytes: number): void;
};

/** How many bytes of the ledger each address has read lately, by whatever route and account. */
export function createByteBudget(stopwatch: Stopwatch): ByteBudget {
  const byAddress = new Map<string, { bytes: number; at: number }>();
  return {
    take(address, bytes, ledgerBytes) {
      const budget = Math.max(HOUR_BYTES, WHOLE_LEDGERS * ledgerBytes);
      const now = stopwatch.monotonic();
      const known = byAddress.get(address) ?? { bytes: 0, at: now };
      const before = Math.max(0, known.bytes - ((now - known.at) * budget) / HOUR_MS);
      const surplus = before + bytes - budget;
      byAddress.delete(address);
      byAddress.set(address, { bytes: surplus > 0 && before > 0 ? before : before + bytes, at: now });
      forgetOldest(byAddress, MAX_ADDRESSES);
      if (surplus <= 0 || before === 0) return;
      const seconds = Math.ceil(((Math.min(surplus, before) / budget) * HOUR_MS) / 1000);
      throw refusedFor(
        seconds,
        429,
        `Your address has read too much of the ledger within an hour. Try again in ${waitText(seconds)}.`,
      );
    },
  };
}
