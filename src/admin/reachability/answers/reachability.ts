import { boolean, choice, type Known, list, number, or, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

const connection = object(
  {
    key: words,
    name: words,
    tries: or(text, ''),
    costs: or(boolean, false),
  },
  ['key', 'name'],
);
export type Connection = Known<typeof connection>;

export const connectionsAnswer = object({ connections: list(connection) });

export const connectionTestAnswer = object(
  {
    state: choice(['ok', 'warning', 'wrong']),
    says: words,
    /** What to do; empty if nothing needs to be done. */
    remedy: or(text, ''),
    /** Time until the last byte of the answer, ms. */
    tookMs: or(number, 0),
  },
  ['state', 'says'],
);
export type ConnectionTest = Known<typeof connectionTestAnswer>;
