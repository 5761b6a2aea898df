import type { App, Part } from '#platform/app.ts';
import { Elysia } from 'elysia';
import { refusalResponse, requestPath } from './errors.ts';

const ON_TRIAL =
  'A new version is on trial, so nothing can be changed for about a minute. Nothing is lost. Try again shortly.';
const RETRY_AFTER_SECONDS = '15';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Prices are only in memory, so the trial can't lose them. */
const isOfNoRecord = (path: string): boolean => path.startsWith('/api/ingest/');

/** Refuses changes during a trial that may restore the old database, because they would be lost. */
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
