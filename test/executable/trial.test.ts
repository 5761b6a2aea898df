import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepPrevious, nextPath, swapIn } from '../../src/platform/install/shared/swap.ts';
import {
  readUpdateState,
  updateFolder,
  writeUpdateState,
} from '../../src/platform/install/shared/updateFile.ts';
import type { UpdateState } from '../../src/platform/install/shared/updateState.ts';
import {
  executable as built,
  healthyPid,
  needExecutable,
  post,
  runBellbird,
  startBellbird,
  temporaryFolder,
} from '../support/executable.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

await needExecutable();
const newFolder = tempFolders();
const PASSWORD = 'a good password';
/** As long as a commit's name. */
const NEW_COMMIT = 'feedc0de'.repeat(5);

let programs: string;
let oldCommit: string;

/** The same program under another commit's name: what tells versions apart is written into it. */
function writeNewVersion(path: string): void {
  const bytes = readFileSync(built);
  for (let at = bytes.indexOf(oldCommit); at >= 0; at = bytes.indexOf(oldCommit, at)) {
    bytes.write(NEW_COMMIT, at);
  }
  writeFileSync(path, bytes, { mode: 0o755 });
}

beforeAll(async () => {
  programs = await temporaryFolder();
  oldCommit = /\((\S+)\)/.exec((await runBellbird(['version'])).stdout)?.[1] ?? '';
  writeNewVersion(join(programs, 'good'));
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

const commitOf = async (url: string): Promise<string | null> => {
  const response = await fetch(`${url}/healthz`).catch(() => null);
  return response?.ok ? ((await response.json()) as { commit: string }).commit : null;
};

async function untilCommit(url: string, commit: string): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    if ((await commitOf(url)) === commit) return;
    await Bun.sleep(20);
  }
  throw new Error(`No server of ${commit} came.`);
}

const register = (url: string, username: string) =>
  post(`${url}/api/register`, { username, password: PASSWORD, platform: 'web' });
/** An installation that runs, with an administrator. */
async function installed(env: Record<string, string> = {}) {
  const dataDir = newFolder();
  const program = join(newFolder(), 'bellbird');
  copyFileSync(built, program);
  const more = ['user', 'add', 'boss', '--admin'];
  await runBellbird(more, { env: { BELLBIRD_DATA: dataDir }, stdin: PASSWORD });
  const options = { dataDir, command: [program], env: { BELLBIRD_TRIAL_SECONDS: '2', ...env } };
  const bellbird = await startBellbird(options);
  const login = await post(`${bellbird.url}/api/login`, { identifier: 'boss', password: PASSWORD });
  const { accessToken } = (await login.json()) as { accessToken: string };
  return { bellbird, dataDir, program, options, token: accessToken };
}

/** Does what an update does until and including the swap, then restarts. */
async function swapAndRestart(
  { bellbird, dataDir, program, token }: Awaited<ReturnType<typeof installed>>,
  more: Partial<UpdateState>,
): Promise<void> {
  const previous = keepPrevious(program);
  copyFileSync(join(programs, 'good'), nextPath(program));
  chmodSync(nextPath(program), 0o755);
  swapIn(program);
  mkdirSync(updateFolder(dataDir), { recursive: true });
  writeUpdateState(dataDir, {
    ...{ id: 'an-update', startedAt: 0, by: 'boss', executable: program, previous },
    ...{ from: { version: '0.1.0', commit: oldCommit }, to: { version: '0.1.0', commit: NEW_COMMIT } },
    ...{ migrations: 0, database: null, checkout: null, phase: 'trial', starts: 0 },
    ...{ steps: [], failure: null, logTail: [] },
    ...more,
  });
  const asked = await post(`${bellbird.url}/api/admin/server/restart`, {}, token);
  expect(asked.status).toBe(200);
}

const untilPhase = (dataDir: string, phase: string) =>
  waitUntil(`the phase ${phase}`, () => readUpdateState(dataDir)?.phase === phase);

describe('a version that is tried', () => {
  test('stays when it runs well; until then nothing can be changed, as its database may go', async () => {
    // Long enough for what is asked during it, on a busy machine too.
    const at = await installed({ BELLBIRD_TRIAL_SECONDS: '15' });
    const { bellbird, dataDir } = at;
    try {
      await swapAndRestart(at, { migrations: 1 });
      await untilCommit(bellbird.url, NEW_COMMIT);
      const refused = await register(bellbird.url, 'Early');
      expect(refused.status).toBe(503);
      expect(await refused.json()).toEqual({ error: expect.stringMatching(/^An update is being tried/) });
      const headers = { authorization: at.token };
      const info = await fetch(`${bellbird.url}/api/admin/server/info`, { headers });
      expect(await info.json()).toMatchObject({ commit: NEW_COMMIT, onTrial: true });
      await untilPhase(dataDir, 'healthy');
      const pid = await healthyPid(bellbird.url);
      for (let attempt = 0; !(await register(bellbird.url, 'Early')).ok; attempt += 1) {
        expect(attempt).toBeLessThan(3000);
        await Bun.sleep(20);
      }
      expect(await healthyPid(bellbird.url)).toBe(pid);
    } finally {
      expect(await bellbird.stop()).toBe(0);
    }
  });
});

test('under a supervisor the old process tries the new version, and leaves the rest to the supervisor', async () => {
  const at = await installed({ BELLBIRD_SUPERVISED: 'yes' });
  await swapAndRestart(at, { migrations: 1 });
  await untilCommit(at.bellbird.url, NEW_COMMIT);
  await untilPhase(at.dataDir, 'healthy');
  await waitUntil('its end', () => commandOf(at.bellbird.parentPid) === null);
  expect(await at.bellbird.stop()).toBe(75);
  const next = await startBellbird({ ...at.options, port: at.bellbird.port });
  expect(await commitOf(next.url)).toBe(NEW_COMMIT);
  expect(next.pid).toBe(next.parentPid);
  expect(await next.stop()).toBe(0);
});

/** How a process was started; null when it has ended. */
function commandOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') || null;
  } catch {
    return null;
  }
}
