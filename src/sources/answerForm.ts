import type { SystemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createLastGoodAnswer, type KeepAnswer, someOf } from './lastGoodAnswer.ts';
import { createMissingFields } from './missingFields.ts';
import { NO_MEMORY, type SourceMemory } from './quotes/source.ts';
import { canTell, missingIn, type RowField } from './rowFields.ts';

/** What a source needs of the server to notice over a restart that its answers change their form. */
export type FormEdges = { memory?: SourceMemory; keepAnswer?: KeepAnswer };

export type AnswerForm = ReturnType<typeof createAnswerForm>;

/**
 * Follows the form of answers that are lists of rows.
 * @param options.source names what is kept
 * @param options.fields what each row should have
 */
export function createAnswerForm(
  options: FormEdges & { source: string; fields: readonly RowField[]; wall: SystemClock; log: Log },
) {
  const { source, fields, wall, log, memory = NO_MEMORY, keepAnswer } = options;
  const missingFields = createMissingFields({ key: `${source}_missing`, memory, clock: wall, log });
  const lastGood = createLastGoodAnswer((text) => keepAnswer?.(source, text), wall);
  return {
    /** @param isUsable false for an answer that was refused as a whole */
    note(rows: readonly unknown[], isUsable: boolean): void {
      const missing = missingIn(rows, fields);
      missingFields.note(missing, () => canTell(rows));
      if (!isUsable || missing.length > 0) lastGood.bad();
      else if (canTell(rows)) lastGood.good({ at: wall.now(), rows: someOf(rows) });
    },
    missing: missingFields.current,
  };
}
