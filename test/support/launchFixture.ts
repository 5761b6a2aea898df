import { Database } from 'bun:sqlite';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '#platform/install/supervisor/launch.ts';
import type { LaunchOptions } from '#platform/install/supervisor/launching.ts';
import {
  readUpdateState,
  updateFolder,
  type UpdateState,
  writeUpdateState,
} from '#platform/install/shared/updateState.ts';
import { previousPath } from '#platform/install/shared/swap.ts';
import { freePort, healthyPid } from './executable.ts';
import { anUpdateState } from './updateFixture.ts';

export const RESTART = 75;
const SECRET = 'hunter2hunter2';

type Behaviour = 'good' | 'no start' | 'dies in start' | 'dies' | 'sick' | 'other' | 'no stream';

const FAKE = join(import.meta.dir, 'fakeServer.ts');

/** A supervisor of a program, without input and output. */
export const launchOptions = (folder: string, executable: string, port: number): LaunchOptions => ({
  folder,
  database: join(folder, 'bellbird.db'),
  port,
  host: '127.0.0.1',
  childEnv: (taken) => ({ PATH: process.env.PATH ?? '', BELLBIRD_PORT: String(taken) }),
  self: { command: [executable], write: () => {} },
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  trialSeconds: 0.6,
  redact: (line) => line,
  print: () => {},
  onStop: () => {},
  restartCode: RESTART,
  isSupervised: false,
});

/** A data folder with an old program installed, and supervisors that run in this process. */
export async function launchFixture(folder: string) {
  const database = join(folder, 'bellbird.db');
  const executable = join(folder, 'bellbird');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const messages: string[] = [];
  let printed = '';
  const stops: (() => void)[] = [];

  const program = (path: string, commit: string, behaviour: Behaviour = 'good'): void => {
    const words = [process.execPath, FAKE, commit, behaviour, database].map((word) => `'${word}'`);
    // A separate file, because the name may be a link to the kept program.
    rmSync(path, { force: true });
    writeFileSync(path, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
    chmodSync(path, 0o755);
  };
  program(executable, 'old');

  const options: LaunchOptions = {
    ...launchOptions(folder, executable, port),
    self: {
      command: [executable],
      write: (_, bytes) => {
        printed += new TextDecoder().decode(bytes);
      },
    },
    redact: (line) => line.replaceAll(SECRET, '[hidden]'),
    print: (line) => void messages.push(line),
    onStop: (listener) => void stops.push(() => listener('SIGTERM')),
  };
  const answering = async (): Promise<string | null> => {
    const response = await fetch(`${url}/healthz`).catch(() => null);
    return response?.ok ? ((await response.json()) as { commit: string }).commit : null;
  };
  return {
    /** `messages`: the supervisor’s messages to the operator. */
    folder,
    database,
    executable,
    port,
    url,
    options,
    messages,
    program,
    /** Output of the trials. */
    printed: () => printed,
    /** Runs a supervisor in this process; resolves with its exit code. */
    launch: (more: Partial<LaunchOptions> = {}) => launch({ ...options, ...more }),
    stop: () => {
      for (const stop of stops.splice(0)) stop();
    },
    /** Writes an update’s state: the old program is kept, the new one installed. */
    update(more: Partial<UpdateState> = {}, behaviour: Behaviour = 'good'): void {
      program(previousPath(executable), 'old');
      program(executable, 'new', behaviour);
      mkdirSync(updateFolder(folder), { recursive: true });
      const previous = previousPath(executable);
      writeUpdateState(folder, anUpdateState({ executable, previous, ...more }));
    },
    state(): UpdateState {
      const state = readUpdateState(folder);
      if (state === null) throw new Error('There is no state.');
      return state;
    },
    /** Waits until a server of a commit answers, other than `notPid`. @returns its process */
    async untilServes(commit: string, notPid = 0): Promise<number> {
      for (let attempt = 0; attempt < 6000; attempt += 1) {
        const pid = await healthyPid(url);
        if (pid !== null && pid !== notPid && (await answering()) === commit) return pid;
        await Bun.sleep(10);
      }
      throw new Error(
        `No server of ${commit} answers. The supervisor printed: ${messages.join(' ')} ${printed}`,
      );
    },
    /** The commits of the servers that wrote to the database, oldest first. */
    runs(): string[] {
      if (!existsSync(database)) return [];
      const client = new Database(database);
      try {
        const rows = client.query<{ commit: string }, []>('SELECT "commit" FROM runs').all();
        return rows.map((row) => row.commit);
      } finally {
        client.close();
      }
    },
  };
}

export type LaunchFixture = Awaited<ReturnType<typeof launchFixture>>;
