import { Elysia } from 'elysia';
import type { CallLife } from '../../domain/calls/life.ts';
import type { SubmitterRecord } from '../../domain/calls/record.ts';
import type { Auth } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import { refusedFor } from '../../http/errors.ts';
import { acceptsGzip } from '../../lib/acceptEncoding.ts';
import { addressKey } from '../../lib/addressKey.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import { isNotModified } from '../../lib/notModified.ts';
import { createRateLimit, waitText } from '../../lib/rateLimit.ts';
import { callParams, lifeAnswer, nameParams, recordAnswer } from './model.ts';
import type { Calls } from './service.ts';

/** Pictures that one address may ask for in a minute: more than anybody opens, and little enough to be made. */
const MAX_A_MINUTE = 120;

export type PictureDeps = Pick<Connections, 'clientAddress'> & { clock: Stopwatch };

/** The answer as bytes, or 304 for who has them; typed as what is in them, for the typed client. */
function asAnswer<T extends object>(answer: T, request: Request): T {
  const text = JSON.stringify(answer);
  const etag = `W/"${Bun.hash(text).toString(36)}"`;
  // Who may see a call differs, so a shared cache keeps none.
  const headers = {
    etag,
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding, authorization',
  };
  if (isNotModified(request, etag)) return new Response(null, { status: 304, headers }) as unknown as T;
  const json = { ...headers, 'content-type': 'application/json' };
  if (!acceptsGzip(request.headers.get('accept-encoding'))) {
    return new Response(text, { headers: json }) as unknown as T;
  }
  const packed = Bun.gzipSync(new TextEncoder().encode(text), { level: 4 });
  return new Response(packed, { headers: { ...json, 'content-encoding': 'gzip' } }) as unknown as T;
}

/** A call's life and a submitter's record: public, as the Calls page is. */
export function pictureRoutes({
  auth,
  calls,
  clock,
  clientAddress,
}: PictureDeps & { auth: Auth; calls: Pick<Calls, 'life' | 'record'> }) {
  const limit = createRateLimit({ clock, limit: MAX_A_MINUTE, windowMs: 60_000 });
  function count(request: Request): void {
    const seconds = limit.take(addressKey(clientAddress(request)));
    if (seconds > 0) {
      throw refusedFor(seconds, 429, `Too many pictures of calls. Try again in ${waitText(seconds)}.`);
    }
  }
  return new Elysia({ name: 'calls.pictures' })
    .use(auth)
    .get(
      '/calls/:publicId',
      ({ user, params, request }): CallLife => {
        count(request);
        return asAnswer(calls.life(user, params.publicId), request);
      },
      { visitor: true, params: callParams, response: { 200: lifeAnswer } },
    )
    .get(
      '/calls/by/:name',
      ({ params, request }): SubmitterRecord => {
        count(request);
        return asAnswer(calls.record(params.name), request);
      },
      { visitor: true, params: nameParams, response: { 200: recordAnswer } },
    );
}
