import { HOUR_MS } from '#lib/units.ts';
import type { App } from '#platform/app.ts';
import { createCallerKey, createCallerLimit } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import { encodeInSteps, sendEncoded, sendBytesInSteps } from '#platform/http/encodedAnswers.ts';
import { addressKey } from '#lib/addresses.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { CALLS } from '#subjects/calls/contract.ts';
import { type MarketTime, createLedgerSize, ledgerFile, readLedgerPage, readLedgerRows } from './pages.ts';
import { ledgerStore } from './store.ts';
import { forgetOldest, waitText } from '#lib/rateLimit.ts';
import { refusedFor } from '#platform/http/errors.ts';

/** Minimum bytes per address in an hour; at least twice the ledger's size, so that everyone can verify it. */
const HOUR_BYTES = 500_000_000;
const WHOLE_LEDGERS = 2;
const MAX_ADDRESSES = 10_000;

type ByteBudget = {
  /**
   * Counts bytes before they are sent. The count falls evenly to zero within an hour.
   * @param ledgerBytes size of the whole ledger
   * @throws AppError 429 if the limit is exceeded, unless nothing was sent to this address before
   */
  take(address: string, bytes: number, ledgerBytes: number): void;
};

/** Recent bytes per address, over all routes and accounts. */
function createByteBudget(stopwatch: Stopwatch): ByteBudget {
  const byAddress = new Map<string, { bytes: number; at: number }>();
  return {
    take(address, bytes, ledgerBytes) {
      const budget = Math.max(HOUR_BYTES, WHOLE_LEDGERS * ledgerBytes);
      const now = stopwatch.monotonic();
      const known = byAddress.get(address) ?? { bytes: 0, at: now };
      const before = Math.max(0, known.bytes - ((now - known.at) * budget) / HOUR_MS);
      const surplus = before + bytes - budget;
      byAddress.delete(address);
      byAddress.set(address, {
        bytes: surplus > 0 && before > 0 ? before : before + bytes,
        at: now,
      });
      forgetOldest(byAddress, MAX_ADDRESSES);
      if (surplus <= 0 || before === 0) return;
      const seconds = Math.ceil(((Math.min(surplus, before) / budget) * HOUR_MS) / 1000);
      throw refusedFor(
        seconds,
        429,
        `Your address has read too much of the ledger in the last hour. Try again in ${waitText(seconds)}.`,
      );
    },
  };
}

/** Pages per caller in a minute: enough for a million entries. */
const MAX_PAGES_A_MINUTE = 600;
const MAX_FILES_A_MINUTE = 6;

const LIMIT = 100;

const fileAnswer = (lines: ReadableStream<Uint8Array>): Response =>
  new Response(lines, {
    headers: {
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="bellbird-ledger.jsonl"',
      'cache-control': 'no-store',
    },
  });

/** The ledger in pages and as a file: public, like the Calls page. */
export function ledgerRoutes(app: App, marketTime: MarketTime) {
  const { reads } = app;
  const store = ledgerStore(app.db);
  const callerOf = createCallerKey(app);
  const countPage = createCallerLimit(app, MAX_PAGES_A_MINUTE, 'Too many requests for ledger pages.');
  const countFile = createCallerLimit(app, MAX_FILES_A_MINUTE, 'Too many downloads of the ledger.');
  const budget = createByteBudget(app.clock);
  const sizeOf = createLedgerSize(store);
  const countBytes = (request: Request, { after, limit }: { after: number; limit: number }): void => {
    const { lines, mean } = sizeOf();
    const asked = Math.max(0, Math.min(limit, lines - after));
    budget.take(addressKey(app.clientAddress(request)), asked * mean, lines * mean);
  };
  return serve(CALLS, {
    'GET /api/calls/ledger': async ({ user, query, request }) => {
      countPage(user, request);
      const stretch = { after: query.after ?? 0, limit: query.limit ?? LIMIT };
      countBytes(request, stretch);
      const page = readLedgerPage(store, stretch, marketTime);
      const steps = encodeInSteps(page, request, 1);
      return sendEncoded(await reads.run(callerOf(user, request), 'ledger', steps), request);
    },
    'GET /api/calls/ledger/rows': ({ user, query, request }) => {
      countPage(user, request);
      const stretch = { after: query.after ?? 0, limit: query.limit ?? LIMIT };
      countBytes(request, stretch);
      const rows = readLedgerRows(store, stretch);
      return reads.run(callerOf(user, request), 'ledger rows', sendBytesInSteps(rows, request));
    },
    'GET /api/calls/ledger/file': ({ user, request }) => {
      countFile(user, request);
      countBytes(request, { after: 0, limit: Infinity });
      return fileAnswer(ledgerFile(store, reads, callerOf(user, request)));
    },
  });
}
