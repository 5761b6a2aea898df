import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Redactor } from '../../../lib/redact.ts';
import { writeUpdateState } from '../shared/updateFile.ts';
import type { UpdateState, UpdateStep } from '../shared/updateState.ts';
import { lastPrinted } from './runCommand.ts';
import { UpdateError } from '../shared/updateError.ts';

const MAX_SENTENCE = 1000;

export type JournalNeeds = { dataFolder: string; clock: Clock; log: Log; redactor: Redactor };

/** How one update goes on: in the memory for the page, and on the disk for whoever starts next. */
export type Journal = {
  state(): UpdateState;
  /** Notes something, durably, before it is done. @throws the file system's error */
  note(change: Partial<UpdateState>): void;
  /**
   * Runs a step under its name.
   * @param then what is noted together with its end
   * @throws what it throws
   */
  step<T>(name: string, work: () => Promise<T>, then?: Partial<UpdateState>): Promise<T>;
  /** Shows what the running step prints; not kept. */
  tell(output: string): void;
  /** Notes that it is over without having come to the swap. */
  fail(error: unknown): void;
};

/** The sentence of a failure, for people; what was not foreseen says what the system said. */
function sentenceOf(error: unknown): string {
  if (error instanceof UpdateError) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk has no room left. Make room and try again.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `The server may not write where it has to (${String(message)}).`;
  }
  return `Something unexpected went wrong: ${String(message ?? error)}`;
}

/**
 * Begins the journal of an update.
 * @throws the file system's error when it can't be written at all
 */
export function createJournal(
  { dataFolder, clock, log, redactor }: JournalNeeds,
  first: UpdateState,
): Journal {
  let state = first;
  const note = (change: Partial<UpdateState>): void => {
    state = { ...state, ...change };
    writeUpdateState(dataFolder, state);
  };
  /** The steps with what runs changed. */
  const changedSteps = (change: Partial<UpdateStep>): UpdateStep[] =>
    state.steps.map((step) => (step.endedAt === null ? { ...step, ...change } : step));
  note({});
  return {
    state: () => state,
    note,
    step: async (name, work, then = {}) => {
      const step: UpdateStep = {
        name,
        startedAt: clock.now(),
        endedAt: null,
        outcome: 'running',
        detail: null,
      };
      note({ steps: [...state.steps, step] });
      const result = await work();
      note({ ...then, steps: changedSteps({ outcome: 'done', detail: null, endedAt: clock.now() }) });
      return result;
    },
    tell: (output) => {
      const detail = lastPrinted(output, 1)[0];
      if (detail !== undefined) state = { ...state, steps: changedSteps({ detail: redactor.text(detail) }) };
    },
    fail: (error) => {
      const failure = redactor.text(sentenceOf(error)).slice(0, MAX_SENTENCE);
      const logTail = error instanceof UpdateError ? error.tail.map((line) => redactor.text(line)) : [];
      log.warn('An update failed; the running version stays', { failure, error });
      const steps = changedSteps({ endedAt: clock.now(), outcome: 'failed', detail: failure });
      state = { ...state, phase: 'failed', failure, logTail, steps };
      try {
        writeUpdateState(dataFolder, state);
      } catch (problem) {
        // The page has it from the memory; what the disk says is settled at the next start.
        log.error('How the update ended could not be kept', { error: problem });
      }
    },
  };
}
