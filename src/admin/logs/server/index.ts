import { Elysia, t } from 'elysia';
import type { Auth } from '../../../platform/http/auth.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { createWriteLimit } from '../../../platform/http/requestLimits.ts';
import type { Core, Part } from '../../../part.ts';
import { clearedAnswer, logParams, logsAnswer, tailAnswer, tailQuery } from './model.ts';
import { createLogsService, type Logs, type LogsDeps } from './service.ts';

/** Downloads and clearings of one administrator in a minute. */
const MAX_A_MINUTE = 30;

/** The bytes as a file to be saved; typed as the text that they are. */
function asFile(bytes: ReadableStream<Uint8Array>, name: string): string {
  const encoded = encodeURIComponent(name).replaceAll("'", '%27');
  return new Response(bytes, {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
      'cache-control': 'no-store',
    },
  }) as unknown as string;
}

function placeOf({ after, file }: { after?: number; file?: string }) {
  if (after === undefined && file === undefined) return null;
  if (after === undefined || file === undefined)
    throw new AppError(400, 'To go on, both the file and the place in it are needed.');
  return { after, file };
}

/** GET /admin/logs and what is done with one of them (specification 7.7). */
const routesOf = (auth: Auth, logs: Logs, countUse: (userId: number) => void) =>
  new Elysia({ name: 'logs' })
    .use(auth)
    .get('/admin/logs', async () => ({ logs: await logs.list() }), {
      minLevel: 4,
      response: { 200: logsAnswer },
    })
    .get(
      '/admin/logs/:name/tail',
      ({ params, query }) => logs.tail(params.name, query.lines, placeOf(query)),
      { minLevel: 4, params: logParams, query: tailQuery, response: { 200: tailAnswer } },
    )
    .get(
      '/admin/logs/:name/download',
      async ({ user, params }) => {
        countUse(user.id);
        return asFile(await logs.download(user, params.name), params.name);
      },
      { minLevel: 4, params: logParams, response: { 200: t.String() } },
    )
    .delete(
      '/admin/logs/:name',
      async ({ user, params }) => {
        countUse(user.id);
        await logs.clear(user, params.name);
        return { cleared: true as const };
      },
      { minLevel: 4, params: logParams, response: { 200: clearedAnswer } },
    );

export type LogsNeeds = Pick<LogsDeps, 'logs' | 'audit'> & { auth: Auth };

/** The log files, for administrators. */
export function createLogs({ db, clock, log }: Pick<Core, 'db' | 'clock' | 'log'>, needs: LogsNeeds) {
  const { auth, logs, audit } = needs;
  const inTransaction = <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' });
  const service = createLogsService({ logs, audit, log: log.child('logs'), inTransaction });
  const countUse = createWriteLimit(clock, MAX_A_MINUTE, 'the log files');
  return { name: 'logs', routes: () => routesOf(auth, service, countUse) } satisfies Part;
}
