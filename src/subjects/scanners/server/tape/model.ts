import { t } from 'elysia';
import { TAPE_TABLES } from '../../rules/tape/tapeTables.ts';

const tableName = t.String({ maxLength: 40, error: `The table is one of ${TAPE_TABLES.join(', ')}.` });
const date = t.String({ maxLength: 10, error: 'A date is written as YYYY-MM-DD.' });
const time = t.String({ maxLength: 5, error: 'A time of day is written as HH:MM.' });

export const tapeQuery = t.Object({ table: tableName, date: t.Optional(date), time: t.Optional(time) });
export const changesQuery = t.Object({
  table: tableName,
  date: t.Optional(date),
  time: t.Optional(time),
  since: t.Optional(time),
});

const numbers = t.Array(t.Nullable(t.Number()));

const rows = t.Object({
  codes: t.Array(t.String()),
  names: t.Array(t.String()),
  funds: t.Array(t.Boolean()),
  values: t.Record(t.String(), numbers),
});

export const daysAnswer = t.Object({
  days: t.Array(
    t.Object({ date: t.String(), spans: t.Array(t.Object({ from: t.Number(), to: t.Number() })) }),
  ),
});

export const tapeAnswer = t.Object({
  table: t.UnionEnum(TAPE_TABLES),
  date: t.String(),
  time: t.Nullable(t.Number()),
  rows,
});

export const changesAnswer = t.Object({
  table: t.UnionEnum(TAPE_TABLES),
  date: t.String(),
  times: t.Array(t.Number()),
  entered: t.Array(t.Boolean()),
  rows,
  isCut: t.Boolean(),
});
