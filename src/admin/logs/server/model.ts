import { t } from 'elysia';
import { TAIL_LINES } from '../rules/logTail.ts';

const WRONG_LINES = `The number of lines is a whole number from ${TAIL_LINES.min} to ${TAIL_LINES.max}.`;

export const logParams = t.Object({ name: t.String() });

export const tailQuery = t.Object({
  lines: t.Optional(
    t.Numeric({
      minimum: TAIL_LINES.min,
      maximum: TAIL_LINES.max,
      multipleOf: 1,
      default: TAIL_LINES.default,
      error: WRONG_LINES,
    }),
  ),
  /** With `file`: only what came after that place, as an earlier answer gave both. */
  after: t.Optional(t.Numeric({ minimum: 0, multipleOf: 1, error: 'The place to go on from is no number.' })),
  file: t.Optional(t.String({ maxLength: 100 })),
});

export const logsAnswer = t.Object({
  /** The one that is written now first, then by their last change. */
  logs: t.Array(
    t.Object({
      name: t.String(),
      /** Bytes. */
      size: t.Integer(),
      mtimeMs: t.Number(),
      /** It is being written by this process. */
      current: t.Boolean(),
    }),
  ),
});

export const tailAnswer = t.Object({
  text: t.String(),
  /** Which file was read, and up to which byte: what `file` and `after` of the next request are. */
  file: t.String(),
  end: t.Integer(),
  /** Lines that were asked for are left out, because they are too many bytes for one answer. */
  cut: t.Boolean(),
  /** The file was emptied since: what was read of it before is not in it any more. */
  restarted: t.Boolean(),
});

export const clearedAnswer = t.Object({ cleared: t.Literal(true) });
