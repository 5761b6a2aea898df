import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Redactor } from '#lib/redact.ts';
import { writeUpdateState } from '../shared/updateFile.ts';
import type { UpdateState, UpdateStep } from '../shared/updateState.ts';
import { lastPrinted } from './runCommand.ts';
import { UpdateError } from '../shared/updateError.ts';
import { errorCode } from '#lib/errors.ts';

const MAX_SENTENCE = 1000;

export type JournalNeeds = { dataFolder: string; clock: Clock; log: Log; redactor: Redactor };

/** The sentence of a failure, for people; what was not foreseen says what the system said. */
function sentenceOf(error: unknown): string {
  if (error instanceof UpdateError) return error.message;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk has no room left. Make room and try again.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `The server may not write where it has to (${message}).`;
  }
  return `Something unexpected went wrong: ${message}`;
}

/** How one update goes on: in the memory for the page, and on the disk for anyone who starts next. */
export class Journal {
  /** @throws the file system's error when it can't be written at all */
  constructor(
    private readonly needs: JournalNeeds,
    private now: UpdateState,
  ) {
    this.note({});
  }

  state(): UpdateState {
    return this.now;
  }

  /** Notes something, durably, before it is done. @throws the file system's error */
  note(change: Partial<UpdateState>): void {
    this.now = { ...this.now, ...change };
    writeUpdateState(this.needs.dataFolder, this.now);
  }

  /**
   * Runs a step under its name. Handed on alone.
   * @param then what is noted together with its end
   * @throws what it throws
   */
  readonly step = async <T>(
    name: string,
    work: () => Promise<T>,
    then: Partial<UpdateState> = {},
  ): Promise<T> => {
    const { clock } = this.needs;
    const step: UpdateStep = {
      name,
      startedAt: clock.now(),
      endedAt: null,
      outcome: 'running',
      detail: null,
    };
    this.note({ steps: [...this.now.steps, step] });
    const result = await work();
    const steps = this.#changedSteps({ outcome: 'done', detail: null, endedAt: clock.now() });
    this.note({ ...then, steps });
    return result;
  };

  /** Shows what the running step prints; not kept. Handed on alone. */
  readonly tell = (output: string): void => {
    const detail = lastPrinted(output, 1)[0];
    if (detail === undefined) return;
    this.now = { ...this.now, steps: this.#changedSteps({ detail: this.needs.redactor.text(detail) }) };
  };

  /** Notes that it is over without having come to the swap. Handed on alone. */
  readonly fail = (error: unknown): void => {
    const { dataFolder, clock, log, redactor } = this.needs;
    const failure = redactor.text(sentenceOf(error)).slice(0, MAX_SENTENCE);
    const logTail = error instanceof UpdateError ? error.tail.map((line) => redactor.text(line)) : [];
    log.warn('An update failed; the running version stays', { failure, error });
    const steps = this.#changedSteps({ endedAt: clock.now(), outcome: 'failed', detail: failure });
    this.now = { ...this.now, phase: 'failed', failure, logTail, steps };
    try {
      writeUpdateState(dataFolder, this.now);
    } catch (problem) {
      // The page has it from the memory; what the disk says is settled at the next start.
      log.error('How the update ended could not be kept', { error: problem });
    }
  };

  /** The steps with what runs changed. */
  #changedSteps(change: Partial<UpdateStep>): UpdateStep[] {
    return this.now.steps.map((step) => (step.endedAt === null ? { ...step, ...change } : step));
  }
}
