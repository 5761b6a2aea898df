/**
 * Runs two servers for hours to check that their memory stays flat. One has the simulated market at speed 10
 * and records it in alternate quarters of an hour; the other plays a recording at speed 10 and restarts it at
 * its end. Each has 20 readers of the stream and 50 alerts. Usage: bun scripts/longRun.ts [hours, default 24]
 * [picture.svg]. It needs a build, and prints a line every ten minutes.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  needExecutable,
  post,
  type Running,
  startBellbird,
  temporaryFolder,
  usageOf,
} from '../test/support/executable.ts';
import { drain } from './bench/support/drain.ts';
import { addLevelAlerts } from './bench/support/levelAlerts.ts';

type Sample = { minute: number; residentMb: number; supervisorMb: number; corePercent: number };

type Line = { name: string; samples: readonly Sample[] };

const WIDTH = 790;
const HEIGHT = 300;
const MARGIN = { left: 48, right: 180, top: 34, bottom: 36 };
const COLOURS = ['#2f7ed8', '#d9822b'];
const STEP_MB = 50;
const GRID = 5;
const LINE = 15;

const innerWidth = WIDTH - MARGIN.left - MARGIN.right;
const innerHeight = HEIGHT - MARGIN.top - MARGIN.bottom;

/** @returns an SVG picture of resident memory over time, one line per server, for light and dark themes */
function memoryPicture(title: string, lines: readonly Line[]): string {
  const samples = lines.flatMap((line) => line.samples);
  const minutes = Math.max(1, ...samples.map(({ minute }) => minute));
  const top =
    Math.ceil(Math.max(STEP_MB, ...samples.map(({ residentMb }) => residentMb)) / STEP_MB) * STEP_MB;
  const x = (minute: number): number => MARGIN.left + (minute / minutes) * innerWidth;
  const y = (megabytes: number): number => MARGIN.top + (1 - megabytes / top) * innerHeight;
  const text = (at: { x: number; y: number; anchor?: string }, words: string): string =>
    `<text x="${at.x.toFixed(0)}" y="${at.y.toFixed(0)}" text-anchor="${at.anchor ?? 'start'}">${words}</text>`;
  const levels = Array.from({ length: top / STEP_MB + 1 }, (_, index) => index * STEP_MB);
  const moments = Array.from({ length: GRID + 1 }, (_, index) => (minutes / GRID) * index);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#808080">`,
    text({ x: MARGIN.left, y: 18 }, title),
    ...levels.map(
      (level) =>
        `<path d="M${MARGIN.left} ${y(level).toFixed(1)}h${innerWidth}" stroke="#80808040"/>${text({ x: MARGIN.left - 6, y: y(level) + 4, anchor: 'end' }, `${level}`)}`,
    ),
    ...moments.map((minute) =>
      text({ x: x(minute), y: HEIGHT - 14, anchor: 'middle' }, `${minute.toFixed(0)} min`),
    ),
    ...lines.map(({ name, samples: own }, index) => {
      const colour = COLOURS[index % COLOURS.length] ?? '#808080';
      const points = own.map(
        ({ minute, residentMb }) => `${x(minute).toFixed(1)},${y(residentMb).toFixed(1)}`,
      );
      const last = own.at(-1)?.residentMb ?? 0;
      return `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points.join(' ')}"/><g fill="${colour}">${text({ x: WIDTH - MARGIN.right + 8, y: y(last) + 4 + (index - (lines.length - 1) / 2) * LINE }, name)}</g>`;
    }),
    '</svg>\n',
  ].join('\n');
}

const SPEED = 10;
const CLIENTS = 20;
const ALERTS = 50;
const SAMPLE_MS = 20_000;
const RECORD_MS = 15 * 60_000;
const FIRST_RECORDING_MS = 3 * 60_000;
const REPORT_EVERY = 30;
const MINUTE_MS = 60_000;
/** After this time the market is full and the first collections are over; later memory is compared. */
const SETTLED_MINUTES = 20;

type Followed = Line & { bellbird: Running; token: string; samples: Sample[]; cpuMs: number; at: number };

async function administrator({ url }: Running): Promise<string> {
  const answer = await post(`${url}/api/test/seed`, { username: 'admin' });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

async function sent(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

class LongRun {
  readonly #began = Date.now();
  readonly #stopped = new AbortController();
  readonly #readers: Promise<void>[] = [];
  readonly #folders: string[] = [];
  readonly servers: Followed[] = [];

  async open(name: string, env: Record<string, string>): Promise<Followed> {
    const dataDir = await temporaryFolder();
    this.#folders.push(dataDir);
    const bellbird = await startBellbird({ dataDir, env: { BELLBIRD_TEST: '1', ...env } });
    const server: Followed = {
      name,
      bellbird,
      token: await administrator(bellbird),
      samples: [],
      cpuMs: 0,
      at: Date.now(),
    };
    this.servers.push(server);
    return server;
  }

  async occupy({ bellbird }: Followed): Promise<void> {
    await addLevelAlerts(bellbird, ALERTS);
    for (let client = 0; client < CLIENTS; client += 1)
      this.#readers.push(this.#readOn(`${bellbird.url}/api/data/stream`));
  }

  /** Reopens a stream that ended, as a page does. */
  async #readOn(url: string): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await drain(url, this.#stopped.signal);
      await Bun.sleep(1000);
    }
  }

  async sample(server: Followed): Promise<void> {
    const { bellbird, samples } = server;
    const { cpuMs, residentMb } = await usageOf(bellbird.pid);
    const supervisor = await usageOf(bellbird.parentPid);
    const now = Date.now();
    const corePercent = samples.length === 0 ? 0 : ((cpuMs - server.cpuMs) / (now - server.at)) * 100;
    samples.push({
      minute: (now - this.#began) / MINUTE_MS,
      residentMb,
      supervisorMb: supervisor.residentMb,
      corePercent,
    });
    server.cpuMs = cpuMs;
    server.at = now;
  }

  async end(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#readers);
    for (const { bellbird } of this.servers) await bellbird.stop();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}

const startRecording = ({ bellbird, token }: Followed, name: string): Promise<unknown> =>
  sent(post(`${bellbird.url}/api/admin/recordings`, { name }, token));

const stopRecording = ({ bellbird, token }: Followed): Promise<unknown> =>
  sent(post(`${bellbird.url}/api/admin/recordings/stop`, {}, token));

async function removeRecording({ bellbird, token }: Followed, name: string): Promise<void> {
  const address = `${bellbird.url}/api/admin/recordings/${encodeURIComponent(name)}`;
  await sent(fetch(address, { method: 'DELETE', headers: { authorization: token } }));
}

async function firstRecording(server: Followed): Promise<string> {
  await startRecording(server, 'first');
  await Bun.sleep(FIRST_RECORDING_MS);
  await stopRecording(server);
  const folder = join(server.bellbird.dataDir, 'recordings');
  const file = (await readdir(folder)).find((name) => name.startsWith('first'));
  if (file === undefined) throw new Error('There is no recording after it was ended.');
  return join(folder, file);
}

/** Records in alternate intervals. A recording that ended with its session needs no stop. */
async function recordInTurns(server: Followed, until: number): Promise<void> {
  for (let turn = 1; Date.now() + RECORD_MS < until; turn += 1) {
    const name = `turn ${turn}`;
    await startRecording(server, name);
    await Bun.sleep(RECORD_MS);
    const answer = await post(`${server.bellbird.url}/api/admin/recordings/stop`, {}, server.token);
    if (!answer.ok) console.log(`Recording ${turn}: ${await answer.text()}`);
    await Bun.sleep(1000);
    await removeRecording(server, name);
    await Bun.sleep(Math.max(0, Math.min(RECORD_MS, until - Date.now())));
  }
}

async function playOn({ bellbird, token }: Followed, until: number): Promise<number> {
  let played = 0;
  while (Date.now() < until) {
    const state = (await (await fetch(`${bellbird.url}/api/replay/`)).json()) as {
      hasEnded: boolean;
      from: number;
    };
    if (state.hasEnded) {
      await sent(post(`${bellbird.url}/api/replay/jump`, { time: state.from }, token));
      played += 1;
    }
    await Bun.sleep(1000);
  }
  return played;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

function summary({ name, samples }: Line): string {
  const settled = samples.filter(({ minute }) => minute >= SETTLED_MINUTES);
  const fifth = Math.max(1, Math.floor(settled.length / 5));
  const megabytes = (some: readonly Sample[]): string =>
    mean(some.map(({ residentMb }) => residentMb)).toFixed(0);
  const highest = Math.max(...samples.map(({ residentMb }) => residentMb)).toFixed(0);
  const supervisor = samples.at(-1)?.supervisorMb.toFixed(0);
  const share = mean(samples.map(({ corePercent }) => corePercent)).toFixed(0);
  return `${name}: ${megabytes(settled.slice(0, fifth))} MB from minute ${SETTLED_MINUTES} on, ${megabytes(settled.slice(-fifth))} MB at the end, highest ${highest} MB; supervisor ${supervisor} MB; ${share} % of a core`;
}

async function sampleUntil(
  run: LongRun,
  until: number,
  picture: string | undefined,
  title: string,
): Promise<void> {
  for (let count = 1; Date.now() < until; count += 1) {
    await Bun.sleep(SAMPLE_MS);
    for (const server of run.servers) await run.sample(server);
    if (count % REPORT_EVERY !== 0) continue;
    for (const server of run.servers) console.log(summary(server));
    if (picture !== undefined) await Bun.write(picture, memoryPicture(title, run.servers));
  }
}

await needExecutable();
const hours = Number(process.argv[2] ?? 24);
const picture = process.argv[3];
const title = `Resident memory, MB: speed ${SPEED}, ${CLIENTS} readers and ${ALERTS} alerts each`;
const run = new LongRun();
try {
  const recorded = await run.open('simulated, recorded', {
    BELLBIRD_SIM_START: '09:50',
    BELLBIRD_SIM_SPEED: String(SPEED),
  });
  await run.occupy(recorded);
  const file = await firstRecording(recorded);
  const replayed = await run.open('played again and again', {
    BELLBIRD_FEED: 'replay',
    BELLBIRD_REPLAY_FILE: file,
    BELLBIRD_REPLAY_SPEED: String(SPEED),
  });
  await run.occupy(replayed);
  const until = Date.now() + hours * 60 * MINUTE_MS;
  const [, , played] = await Promise.all([
    sampleUntil(run, until, picture, title),
    recordInTurns(recorded, until),
    playOn(replayed, until),
  ]);
  console.log(`\n${hours} hours, played ${played} times to its end.`);
  for (const server of run.servers) console.log(summary(server));
  if (picture !== undefined) await Bun.write(picture, memoryPicture(title, run.servers));
} finally {
  await run.end();
}
