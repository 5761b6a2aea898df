import type { OwnLogFile } from '#lib/logging.ts';
import { LOGS } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { App, Part } from '#platform/app.ts';
import { Logs } from './service.ts';

/** Downloads and clearings of one administrator in a minute. */
const MAX_A_MINUTE = 30;

/** The bytes as a file to be saved. */
function asFile(bytes: ReadableStream<Uint8Array>, name: string): Response {
  const encoded = encodeURIComponent(name).replaceAll("'", '%27');
  return new Response(bytes, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
      'cache-control': 'no-store',
    },
  });
}

function placeOf({ after, file }: { after?: number; file?: string }) {
  if (after === undefined && file === undefined) return null;
  if (after === undefined || file === undefined)
    throw new AppError(400, 'To go on, both the file and the place in it are needed.');
  return { after, file };
}

/** GET /admin/logs and what is done with one of them (specification 7.7). */
const routesOf = (logs: Logs, countUse: (userId: number) => void) =>
  serve(LOGS, {
    'GET /api/admin/logs': async () => ({ logs: await logs.list() }),
    'GET /api/admin/logs/:name/tail': ({ params, query }) =>
      logs.tail(params.name, query.lines, placeOf(query)),
    'GET /api/admin/logs/:name/download': async ({ user, params }) => {
      countUse(user.id);
      return asFile(await logs.download(user, params.name), params.name);
    },
    'DELETE /api/admin/logs/:name': async ({ user, params }) => {
      countUse(user.id);
      await logs.clear(user, params.name);
      return { cleared: true as const };
    },
  });

/** The log files, for administrators. */
export function createLogs(app: App, file: OwnLogFile | null) {
  const service = new Logs(app, file);
  const countUse = createWriteLimit(app.clock, MAX_A_MINUTE, 'the log files');
  return { name: 'logs', routes: () => routesOf(service, countUse) } satisfies Part;
}
