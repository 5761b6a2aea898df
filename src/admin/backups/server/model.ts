import { t } from 'elysia';

const kind = t.Union([t.Literal('nightly'), t.Literal('manual'), t.Literal('migration')]);

/** Times are epoch ms, sizes bytes. */
export const backupsAnswer = t.Object({
  backups: t.Array(
    t.Object({
      name: t.String(),
      kind,
      size: t.Integer(),
      madeAt: t.Integer(),
      /** It was read again, whole, after it was written. */
      checked: t.Boolean(),
    }),
  ),
  running: t.Union([
    t.Null(),
    t.Object({ kind, startedAt: t.Integer(), /** From 0 to 1. */ progress: t.Number() }),
  ]),
  /** Why the last one failed; null once one was made. */
  failure: t.Union([t.Null(), t.Object({ at: t.Integer(), reason: t.String() })]),
  disk: t.Object({ free: t.Union([t.Null(), t.Integer()]), low: t.Boolean() }),
  nextNightly: t.Integer(),
});

export const started = t.Object({ success: t.Literal(true) });
export const downloadParams = t.Object({ name: t.String({ maxLength: 150 }) });
export const passwordBody = t.Object({
  password: t.String({ default: '', maxLength: 1000, error: 'Type your password.' }),
});
/** `url` is good for a minute, once, without a session. */
export const downloadAnswer = t.Object({ url: t.String() });
export const ticketQuery = t.Object({ ticket: t.String({ default: '', maxLength: 200 }) });
export const file = t.Unsafe<Response>(t.Any());
