import { count, done, integer, number, readBy, words, type Known } from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';

/** `GET /healthz`; null for what is no server of ours, or one that says that it is not well. */
export const healthAnswer = object(
  {
    ok: readBy(done, (value) => (value === true ? value : null)),
    pid: ours(count),
    uptimeSec: ours(number),
    /** Epoch ms of the process's start: tells processes apart where all have the same pid, as in containers. */
    startedAt: ours(integer),
    version: ours(words),
    commit: ours(words),
  },
  ['ok'],
);
export type HealthAnswer = Known<typeof healthAnswer>;
