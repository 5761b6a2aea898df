import { count, done, integer, number, readBy, words, type Known } from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';

/** Answer of `GET /healthz`; null from another server, or if the server reports a problem. */
export const healthAnswer = object(
  {
    ok: readBy(done, (value) => (value === true ? value : null)),
    pid: extension(count),
    uptimeSec: extension(number),
    /** Epoch ms of the process's start, which distinguishes processes with the same pid, as in containers. */
    startedAt: extension(integer),
    version: extension(words),
    commit: extension(words),
  },
  ['ok'],
);
export type HealthAnswer = Known<typeof healthAnswer>;
