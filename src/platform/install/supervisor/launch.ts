import { decideStart, readUpdateState } from '../shared/updateState.ts';
import { type ChildRun, type Ending, endingText } from './childRun.ts';
import {
  codeAfterStop,
  type Supervising,
  type LaunchOptions,
  type Next,
  startServerChild,
  untilEnded,
} from './launching.ts';
import { createPlace } from './place.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** A server that ran this long did not fail at its start. */
const RAN_WELL_MS = 5 * 60_000;

export function createBackoff(): (ranMs: number) => number {
  let crashes = 0;
  return (ranMs) => {
    if (ranMs >= RAN_WELL_MS) crashes = 0;
    const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** crashes);
    crashes += 1;
    return wait;
  };
}

function afterEnd(launching: Supervising, ending: Ending, crashedAfter: () => number): Next {
  const { options, isStopped, hasRun } = launching;
  if (isStopped) return { end: codeAfterStop(ending, options) };
  if (ending.code === options.restartCode) return { waitMs: 0 };
  if (ending.code === 0) return { end: 0 };
  const wasKilledAtWork = ending.signal !== null && launching.child?.port() != null;
  if (!hasRun && !wasKilledAtWork) {
    // The server has printed why it can't start, unless a signal ended it.
    if (ending.code === null) options.print(`The server ${endingText(ending)} before it was ready.`);
    return { end: ending.code ?? 1 };
  }
  const waitMs = crashedAfter();
  options.print(`The server ${endingText(ending)}. Restarting it in ${waitMs / 1000} s.`);
  return { waitMs };
}

function prepare(options: LaunchOptions): Supervising {
  const { promise, resolve } = Promise.withResolvers<'stopped'>();
  const place = createPlace(options.host);
  const launching: Supervising = {
    options,
    place,
    stopped: promise,
    isStopped: false,
    child: null,
    hasRun: false,
  };
  options.onStop((signal) => {
    launching.isStopped = true;
    launching.child?.kill(signal);
    resolve('stopped');
  });
  return launching;
}

async function nextChild(launching: Supervising, crashedAfter: () => number): Promise<ChildRun | Next> {
  const { folder, isSupervised, restartCode } = launching.options;
  const state = readUpdateState(folder);
  if (state !== null && decideStart(state).kind !== 'serve') {
    const { goOnWithUpdate } = await import('./update.ts');
    return goOnWithUpdate(launching, state, crashedAfter);
  }
  if (isSupervised) return { end: restartCode };
  try {
    return await startServerChild(launching, { tail: null });
  } catch (error) {
    // The file is missing, or the memory is full. A person may be about to fix it.
    if (!launching.hasRun) throw error;
    const waitMs = crashedAfter();
    launching.options.print(
      `The server cannot be started (${String(error)}). Trying again in ${waitMs / 1000} s.`,
    );
    return { waitMs };
  }
}

/**
 * Runs servers in child processes, one after the other, until it gets a signal. It holds the port in between.
 * A pending update is tried or rolled back first.
 * @returns the exit code
 * @throws DatabaseError if another process has the data folder during an update
 */
export async function launch(options: LaunchOptions): Promise<number> {
  const launching = prepare(options);
  const nextWait = createBackoff();
  try {
    while (!launching.isStopped) {
      const startedAt = options.clock.monotonic();
      const crashedAfter = (): number => nextWait(options.clock.monotonic() - startedAt);
      const run = await nextChild(launching, crashedAfter);
      const next = 'ended' in run ? afterEnd(launching, await untilEnded(launching, run), crashedAfter) : run;
      if ('end' in next) return next.end;
      if (next.waitMs > 0) await Promise.race([Bun.sleep(next.waitMs), launching.stopped]);
    }
    return 0;
  } finally {
    await launching.place.letGo();
  }
}
