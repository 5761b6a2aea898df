import type { App } from '#platform/app.ts';
import { Elysia } from 'elysia';
import type { Part } from '#platform/app.ts';
import { refusalResponse } from './errors.ts';
import { requestPath } from './errors.ts';

const ON_TRIAL =
  'An update is being tried, so nothing can be changed for about a minute. Try again shortly; nothing is lost.';
const RETRY_AFTER_SECONDS = '15';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Prices, which are in memory alone, so there is nothing that could be taken back. */
const isOfNoRecord = (path: string): boolean => path.startsWith('/api/ingest/');

/**
 * Refuses what would change something while a new version is on trial whose database may be replaced by the old one: so
 * nothing is lost that anybody was told is saved.
 *
 * @param isClosed asked with every request
 */
export const createChangeGate = ({ control }: App) =>
  ({
    name: 'changeGate',
    hooks: () =>
      new Elysia({ name: 'changeGate' }).onRequest(({ request }) => {
        if (READS.has(request.method) || !control.trial?.holdsChanges() || isOfNoRecord(requestPath(request)))
          return;
        return refusalResponse(503, ON_TRIAL, { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
      }),
  }) satisfies Part;
