import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataPaths } from '../config/dataPaths.ts';
import { createRedactor } from '../lib/redact.ts';
import { writeDurably } from '../lib/files.ts';
import type { App } from '#platform/app.ts';
import { factStore } from '../platform/db/facts.ts';
import type { KeepAnswer, SourceMemory } from '../sources/answerForm.ts';

/** The memory of sources over a restart, and one file per source with a sample of its last valid answer. */
export function sourceEdges({ config, db, log }: Pick<App, 'config' | 'db' | 'log'>): {
  memory: SourceMemory;
  keepAnswer: KeepAnswer;
} {
  const { answers } = dataPaths(config);
  return {
    memory: factStore(db),
    keepAnswer(source, text) {
      try {
        mkdirSync(answers, { recursive: true, mode: 0o700 });
        writeDurably(join(answers, `${source}.json`), createRedactor(config.secrets).text(text), 0o600);
      } catch (error) {
        log.warn('Could not save the last good answer of a source', { source, error });
      }
    },
  };
}
