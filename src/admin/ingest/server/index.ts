import { Elysia, NotFoundError } from 'elysia';
import PQueue from 'p-queue';
import { routeSchemas } from '#platform/http/contract.ts';
import type { Auth } from '#platform/http/auth.ts';
import { AppError, refusedFor } from '#platform/http/errors.ts';
import type { Core, Part } from '#src/part.ts';
import type { MarketSink } from '#sources/quotes/source.ts';
import { createKeyCheck } from '#platform/http/key.ts';
import { INGEST } from '../contract.ts';
import { readBody, ingestBody } from './service.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Requests that may wait for their turn behind the one that is being taken. */
const MAX_WAITING = 19;
/** Those behind a body wait for it, so it has to be here by then. */
const BODY_TIMEOUT_MS = 10_000;
const RETRY_AFTER_SECONDS = 1;

const BUSY = 'The market is still taking earlier updates. Send again in a second, several stocks at once.';

export type IngestCore = {
  config: Pick<Core['config'], 'ingestKey'>;
  source: Pick<Core['source'], 'received'>;
};
export type IngestNeeds = { auth: Auth; sink: Pick<MarketSink, 'apply'>; bodyTimeoutMs?: number };

/** The refusal of a bridge that sends faster than the Market takes. */
const busy = (): AppError => refusedFor(RETRY_AFTER_SECONDS, 429, BUSY);

/**
 * POST /ingest/market: market updates from a broker bridge, as JSON or NDJSON, authorised by a key of its own. Without
 * a configured key there is no such address. The key is checked before the body is read. Bodies are read and applied one by
 * one in the order in which their requests arrive, so that a later price is never overtaken by an earlier one.
 */
function routesOf({ config, source }: IngestCore, needs: IngestNeeds) {
  const { auth, sink, bodyTimeoutMs = BODY_TIMEOUT_MS } = needs;
  const { ingestKey } = config;
  const isKey = ingestKey === null ? null : createKeyCheck(ingestKey);
  const queue = new PQueue({ concurrency: 1 });
  // Another source than the ingest source does not count what comes here beside its own updates.
  const received = source.received ?? (() => undefined);

  return new Elysia({ name: 'ingest' }).use(auth).post(
    '/ingest/market',
    async ({ request }) => {
      if (isKey === null) throw new NotFoundError();
      if (!isKey(request.headers.get('authorization'))) {
        throw new AppError(401, 'The ingest key is missing or wrong. Send it in the Authorization header.');
      }
      if (queue.size >= MAX_WAITING) throw busy();
      return queue.add(async () => {
        const body = await readBody(request, { maxBytes: MAX_BYTES, timeoutMs: bodyTimeoutMs });
        if (body === null) {
          throw new AppError(413, 'The body is larger than 4 MB. Send the stocks in several requests.');
        }
        return ingestBody(body, sink, received);
      });
    },
    // Bridges send NDJSON under any content type, so the body is read as it comes.
    { anyone: true, parse: 'none', ...routeSchemas(INGEST['POST /api/ingest/market']) },
  );
}

/** The way by which broker bridges send the market. */
export const createIngest = (core: IngestCore, needs: IngestNeeds) =>
  ({ name: 'ingest', routes: () => routesOf(core, needs) }) satisfies Part;
