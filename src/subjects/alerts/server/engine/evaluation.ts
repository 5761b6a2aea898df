import { lookAtDay } from '../../rules/dayMemory.ts';
import type { Evaluation } from '../../rules/evaluation.ts';
import { notReady, STALE, unknownValue } from '../../rules/notEvaluated.ts';
import { haltText } from '../../../../market/rules/halted.ts';
import { TRUE, UNKNOWN } from '../../rules/truth.ts';
import { readinessOf } from '../../rules/readiness.ts';
import { type OperandText, seenOf } from '../../rules/seen.ts';
import type { Entries, Entry } from './entries.ts';
import type { AlertEngineCore, AlertEngineNeeds } from './types.ts';

type Deps = Pick<AlertEngineNeeds, 'market'> &
  Pick<AlertEngineCore, 'source'> & { entries: Entries; textOf: OperandText };

/** What an alert's conditions see now. Nothing is remembered of it: previous values and latch stay as they are. */
export function evaluationOf({ market, source, entries, textOf }: Deps, entry: Entry): Evaluation {
  const { program, columns } = entries;
  const { book, first, count } = entry;
  const stock = market.get(book.symbol) ?? null;
  const day = stock && lookAtDay({ ...book.days }, stock, market.date(), source.days);
  const readiness = stock ? readinessOf(stock, day === 'earlierDay') : 'auction';
  // What a halted stock left is shown where nothing of it is evaluated.
  const shown = readiness === 'halted' && !entry.readsHalt ? 'traded' : readiness;
  columns.read(book.columns, stock, source.clock.now(), shown);
  const reason = entry.isWaiting
    ? 'It has fired and is being saved'
    : (notReady(book.symbol, stock, readiness, entry) ?? (source.health().healthy ? null : STALE));
  const truth = reason === null ? program.truthOf(first, count) : UNKNOWN;
  const isUnknown = reason === null && truth === UNKNOWN;
  return {
    at: entry.evaluatedAt,
    notEvaluated: isUnknown
      ? (haltText(book.symbol, stock) ?? unknownValue(program, entry, book.symbol, textOf))
      : reason,
    conditions: seenOf(program, entry, textOf, reason === null),
    holds: truth === UNKNOWN ? null : truth === TRUE,
  };
}
