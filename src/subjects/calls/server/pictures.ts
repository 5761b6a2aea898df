import { Elysia } from 'elysia';
import { CALLS } from '../contract.ts';
import type { CallLife } from '../rules/life.ts';
import type { SubmitterRecord } from '../rules/record.ts';
import type { Auth } from '../../../platform/http/auth.ts';
import type { Connections } from '../../../platform/http/connections.ts';
import { routeSchemas } from '../../../platform/http/contract.ts';
import { encode, sendEncoded } from '../../../platform/http/encodedAnswers.ts';
import { createCallerLimit } from '../../../platform/http/requestLimits.ts';
import type { Stopwatch } from '../../../lib/clock.ts';
import type { Calls } from './service.ts';

/** Pictures that one caller may ask for in a minute: more than anybody opens, and little enough to be made. */
const MAX_A_MINUTE = 120;

export type PictureDeps = Pick<Connections, 'clientAddress'> & { clock: Stopwatch };

/** Who may see a call differs, so its answer does too. */
const send = <Answer extends object>(answer: Answer, request: Request): Answer =>
  sendEncoded<Answer>(encode(answer), request, { isPersonal: true });

/** A call's life and a submitter's record: public, as the Calls page is. */
export function pictureRoutes({
  auth,
  calls,
  clock,
  clientAddress,
}: PictureDeps & { auth: Auth; calls: Pick<Calls, 'life' | 'record'> }) {
  const count = createCallerLimit({ clock, clientAddress }, MAX_A_MINUTE, 'Too many pictures of calls.');
  return new Elysia({ name: 'calls.pictures' })
    .use(auth)
    .get(
      '/calls/:publicId',
      ({ user, params, request }): CallLife => {
        count(user, request);
        return send(calls.life(user, params.publicId), request);
      },
      { visitor: true, ...routeSchemas(CALLS['GET /api/calls/:publicId']) },
    )
    .get(
      '/calls/by/:name',
      ({ user, params, request }): SubmitterRecord => {
        count(user, request);
        return send(calls.record(params.name), request);
      },
      { visitor: true, ...routeSchemas(CALLS['GET /api/calls/by/:name']) },
    );
}
