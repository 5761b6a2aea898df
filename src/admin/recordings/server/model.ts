import { t } from 'elysia';

const time = t.Union([t.Null(), t.Integer()]);
const text = t.Union([t.Null(), t.String()]);

/** Times are epoch ms on the market's clock, sizes bytes. */
export const recordingsAnswer = t.Object({
  recordings: t.Array(
    t.Object({
      name: t.String(),
      size: t.Integer(),
      /** The session's, YYYY-MM-DD. */
      date: text,
      source: text,
      from: time,
      until: time,
      isCutOff: t.Boolean(),
      /** Why it can't be played; null when it can. */
      problem: text,
    }),
  ),
  running: t.Union([
    t.Null(),
    t.Object({
      name: t.String(),
      date: t.String(),
      from: t.Integer(),
      until: t.Integer(),
      size: t.Integer(),
    }),
  ]),
  /** Why the last one ended by itself. */
  failure: t.Union([t.Null(), t.Object({ name: t.String(), reason: t.String() })]),
  disk: t.Object({ free: t.Union([t.Null(), t.Integer()]), low: t.Boolean() }),
  /** The recording that is played because it was chosen in the panel, and the words for the source it stands in for. */
  playing: t.Union([t.Null(), t.Object({ name: t.String(), instead: t.String() })]),
  /** Why none can be played from the panel; null when one can. */
  noPlay: text,
  /** A name that is free. */
  suggestion: t.String(),
});

export const startBody = t.Object({
  name: t.String({ default: '', maxLength: 200, error: 'Give the recording a name.' }),
});
export const recordingParams = t.Object({ name: t.String({ maxLength: 100 }) });
export const named = t.Object({ success: t.Literal(true), name: t.String() });
/** `url` is good for a minute, once, without a session. */
export const downloadAnswer = t.Object({ url: t.String() });
export const ticketQuery = t.Object({ ticket: t.String({ default: '', maxLength: 200 }) });
export const file = t.Unsafe<Response>(t.Any());
