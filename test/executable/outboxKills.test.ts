import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExecutable } from '../../scripts/build/executable.ts';
import { createRandom } from '../../src/lib/random.ts';
import { DISCORD_TOKEN } from '../support/failingDiscord.ts';
import { type Mishap, MISHAPS } from '../support/failingPlatform.ts';
import { executable, startBellbird } from '../support/executable.ts';
import { TELEGRAM_TOKEN } from '../support/failingTelegram.ts';
import { createLane, type Lane, STEPS, type Step } from '../support/killRuns.ts';

const LANES = 4;
const KILLS_A_LANE = 50;
/** A server that hangs only makes the runs longer: a process that is killed has the same in doubt. */
const QUICK_MISHAPS: readonly Mishap[] = MISHAPS.filter((mishap) => !mishap.startsWith('hang'));

let folder = '';
let runner = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellbird-kills-'));
  await mkdir(join(folder, 'web'));
  runner = join(folder, 'runner');
  await buildExecutable({
    root: join(import.meta.dir, '..', '..'),
    entrypoint: join(import.meta.dir, '..', 'support', 'outboxRunner.ts'),
    outfile: runner,
    webFolder: join(folder, 'web'),
    commit: 'test',
  });
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the process until it is killed, or nothing is left to deliver. @returns whether it was killed */
async function run(lane: Lane, step: Step | 'never', nth: number, limitMs: number): Promise<boolean> {
  const child = Bun.spawn([runner, lane.dbPath, step, String(nth)], {
    env: lane.env,
    stdout: 'ignore',
    stderr: 'ignore',
  });
  if (step !== 'never') lane.killAt(step, nth, () => child.pid);
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await child.exited;
  clearTimeout(timer);
  return child.signalCode === 'SIGKILL';
}

async function runLane(number: number): Promise<{ kills: number; complaints: string[]; arrived: number }> {
  const laneFolder = join(folder, `lane${number}`);
  await mkdir(laneFolder);
  const lane = await createLane(laneFolder);
  const random = createRandom(number + 1);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  let isHealing = false;
  lane.setMishap(() => (isHealing || random() < 0.85 ? 'none' : (pick(QUICK_MISHAPS) ?? 'none')));
  let kills = 0;
  lane.write(20);
  while (kills < KILLS_A_LANE) {
    lane.write(3);
    const step = STEPS[kills % STEPS.length] ?? 'marked';
    if (await run(lane, step, 1 + Math.floor(random() * 4), 3000)) kills += 1;
  }
  isHealing = true;
  await run(lane, 'never', 1, 60_000);
  lane.stop();
  return { kills, complaints: lane.complaints(), arrived: lane.arrived() };
}

test(`killed ${LANES * KILLS_A_LANE} times at every step: nothing lost, nothing doubled without a mark, each chat in order`, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, number) => runLane(number)));
  expect(lanes.flatMap(({ complaints }) => complaints)).toEqual([]);
  expect(lanes.map(({ kills }) => kills)).toEqual(Array.from({ length: LANES }, () => KILLS_A_LANE));
  for (const { arrived } of lanes) expect(arrived).toBeGreaterThan(KILLS_A_LANE * 3);
}, 600_000);

test('the executable itself, killed while messages come in and when they are delivered', async () => {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const lane = await createLane(dataDir);
  // The process itself is the server, so that nothing else is killed in its place.
  const env = { ...lane.env, BELLBIRD_SIM_START: '03:00', BELLBIRD_SUPERVISED: 'yes' };
  let kills = 0;
  lane.write(12);
  for (const step of ['arrived', 'delivered', 'arrived', 'delivered', 'arrived', 'delivered'] as const) {
    lane.write(4);
    let pid = 0;
    lane.killAt(step, 1 + (kills % 3), () => pid);
    const child = Bun.spawn([executable, 'serve'], {
      env: { ...env, BELLBIRD_HOST: '127.0.0.1', BELLBIRD_PORT: '0', BELLBIRD_DATA: dataDir },
      stdout: 'ignore',
      stderr: 'ignore',
    });
    pid = child.pid;
    const timer = setTimeout(() => child.kill(), 90_000);
    await child.exited;
    clearTimeout(timer);
    if (child.signalCode === 'SIGKILL') kills += 1;
  }
  expect(kills).toBe(6);
  const running = await startBellbird({ dataDir, env });
  // Written by another process: it looks for messages by itself.
  lane.write(4);
  for (let waited = 0; lane.complaints().length > 0 && waited < 90_000; waited += 50) await Bun.sleep(50);
  expect(lane.complaints()).toEqual([]);
  const log =
    running.log() +
    (await Bun.file(join(dataDir, 'logs', 'bellbird.log'))
      .text()
      .catch(() => ''));
  for (const token of [TELEGRAM_TOKEN, DISCORD_TOKEN]) expect(log).not.toContain(token);
  expect(log).toContain('may have been sent without their answer');
  expect(await running.stop()).toBe(0);
  lane.stop();
}, 600_000);
