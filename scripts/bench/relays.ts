import { rm } from 'node:fs/promises';
import { needExecutable, type Running, temporaryFolder, usageOf } from '#support/executable.ts';
import { percentile, type Row } from './row.ts';
import { type Child, startChild } from './support/pinned.ts';
import { openProbe, type Probe } from './support/probe.ts';
import type { PagesOrder, PagesState } from './support/relayPages.ts';
import { type RelayStage, startSingle, startStage } from './support/relayStage.ts';
import { openTruePage, untilWhole } from './support/truePage.ts';

const STARTS = 7;
const FEW = 5000;
const OF_A_RELAY = 10_000;
const SECONDS = 20;
const LIMITS = {
  ratio: 1,
  primary: 1.05,
  p99: 500,
  added: 15,
  backMs: 10_000,
  residentMb: 200,
  startMs: 2000,
};

type Pages = Child<PagesOrder, PagesState>;
type Process = { pid: number };

const startPages = (): Pages => startChild<PagesOrder, PagesState>('relayPages.ts', 1);
const p99 = (values: ArrayLike<number>): number =>
  values.length === 0 ? Number.NaN : percentile(Array.from(values), 0.99);
const p50 = (values: ArrayLike<number>): number =>
  values.length === 0 ? Number.NaN : percentile(Array.from(values), 0.5);
const ms = (value: number): string => `${value.toFixed(0)} ms`;

/** Processor time that processes take within some seconds, ms. */
async function spentBy(seconds: number, processes: readonly Process[]): Promise<number[]> {
  const before = await Promise.all(processes.map(({ pid }) => usageOf(pid)));
  await Bun.sleep(1000 * seconds);
  const after = await Promise.all(processes.map(({ pid }) => usageOf(pid)));
  return after.map(({ cpuMs }, index) => cpuMs - (before[index]?.cpuMs ?? 0));
}

/** From the start of a relay to the moment when a page has the whole market by it, ms; the longest of seven. */
async function slowestStart(stage: RelayStage): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < STARTS; turn += 1) {
    const started = performance.now();
    const relay = await stage.addRelay();
    const page = await openTruePage(relay.url);
    await untilWhole(page);
    times.push(performance.now() - started);
    page.leave();
    if (turn > 0) await stage.relays.pop()?.stop();
  }
  return Math.max(...times);
}

async function startRow(stage: RelayStage): Promise<Row> {
  const slowest = await slowestStart(stage);
  return {
    what: `Start of a relay to its first page served whole (slowest of ${STARTS})`,
    measured: ms(slowest),
    target: `≤ ${LIMITS.startMs} ms`,
    ok: slowest <= LIMITS.startMs,
  };
}

/** A relay and a single process side by side on one core, each with as many pages. */
async function ratioRow(single: Running, stage: RelayStage, pages: Pages): Promise<Row> {
  const [relay] = stage.relays;
  if (!relay) throw new Error('There is no relay.');
  const both = [single, relay];
  for (const { port } of both) await pages.ask({ do: 'join', count: FEW, ports: [port] });
  const probes = await Promise.all(both.map(({ port }) => openProbe(port)));
  await Bun.sleep(3000);
  for (const probe of probes) probe.reset();
  const busy = await spentBy(SECONDS, both);
  const ticks = probes.map((probe) => Object.keys(probe.times()).length);
  for (const probe of probes) probe.leave();
  await pages.ask({ do: 'leave' });
  // Afterwards, when as much of their code is compiled as before.
  const idle = await spentBy(SECONDS, both);
  const ofOne = (index: number, less: number): number =>
    (1000 * ((busy[index] ?? 0) - less)) / (FEW * (ticks[index] ?? 0));
  const [ofSingle, ofRelay] = [ofOne(0, 0), ofOne(1, 0)];
  const [fromPages, fromPagesRelay] = [ofOne(0, idle[0] ?? 0), ofOne(1, idle[1] ?? 0)];
  const ratio = ofRelay / ofSingle;
  return {
    what: `Processor time of a relay a delivery against the single process, ${FEW} pages each, side by side on one core`,
    measured: `${ofRelay.toFixed(1)} of ${ofSingle.toFixed(1)} µs: ${ratio.toFixed(2)} ×; without what each takes with no page ${fromPagesRelay.toFixed(1)} of ${fromPages.toFixed(1)} µs`,
    target: `≤ ${LIMITS.ratio.toFixed(1)} ×`,
    ok: ratio <= LIMITS.ratio,
  };
}

/** How late pages at a port are told what a page at the primary was told, ms, sorted. */
async function delaysAt(port: number, probe: Probe, pages: Pages): Promise<Float64Array> {
  await pages.ask({ do: 'join', count: FEW, ports: [port] });
  await Bun.sleep(3000);
  await pages.ask({ do: 'arm' });
  await Bun.sleep(300);
  probe.reset();
  await Bun.sleep(1000 * SECONDS);
  const reference = probe.times();
  await Bun.sleep(900);
  const { latencies } = await pages.ask({ do: 'report', reference });
  await pages.ask({ do: 'leave' });
  return latencies;
}

async function addedRow(stage: RelayStage, pages: Pages): Promise<Row> {
  const probe = await openProbe(stage.primary.port);
  const relay = await delaysAt(stage.relays[0]?.port ?? 0, probe, pages);
  const primary = await delaysAt(stage.primary.port, probe, pages);
  probe.leave();
  const added = p99(relay) - p99(primary);
  return {
    what: `Delay that engine and relay add, p99 at ${FEW} pages: after the first page of the primary`,
    measured: `${ms(p99(relay))} by the relay, ${ms(p99(primary))} at the primary: ${added.toFixed(1)} ms (p50 ${ms(p50(relay))} and ${ms(p50(primary))})`,
    target: `≤ ${LIMITS.added} ms`,
    ok: added <= LIMITS.added,
  };
}

/** Pages at three relays, in two processes, as one has 20,000 connections on many machines. */
async function joinAll(stage: RelayStage, [some, others]: readonly [Pages, Pages]): Promise<number> {
  const [first = 0, second = 0, third = 0] = stage.relays.map(({ port }) => port);
  const half = OF_A_RELAY / 2;
  const join = (pages: Pages, port: number, count: number) => pages.ask({ do: 'join', count, ports: [port] });
  const [one, two] = await Promise.all([
    join(some, first, OF_A_RELAY).then(() => join(some, second, half)),
    join(others, third, OF_A_RELAY).then(() => join(others, second, half)),
  ]);
  return one.open + two.open;
}

async function manyRows(single: Running, stage: RelayStage, both: readonly [Pages, Pages]): Promise<Row[]> {
  const { primary, relays } = stage;
  const [alone = 0, before = 0] = await spentBy(SECONDS, [single, primary]);
  const count = await joinAll(stage, both);
  const probe = await openProbe(primary.port);
  await Bun.sleep(3000);
  for (const pages of both) await pages.ask({ do: 'arm' });
  await Bun.sleep(300);
  probe.reset();
  const [aloneAfter = 0, spent = 0] = await spentBy(SECONDS, [single, primary]);
  const reference = probe.times();
  probe.leave();
  await Bun.sleep(900);
  const states = await Promise.all(both.map((pages) => pages.ask({ do: 'report', reference })));
  const complete = states.reduce((sum, state) => sum + state.complete, 0);
  const late = p99(states.flatMap(({ latencies }) => Array.from(latencies)));
  const wrong = states.reduce((sum, state) => sum + state.wrong, 0);
  const resident = Math.max(
    ...(await Promise.all(relays.map(({ pid }) => usageOf(pid)))).map((use) => use.residentMb),
  );
  // The machine's speed changes: a process that does the same throughout tells by how much.
  const ratio = spent / aloneAfter / (before / alone);
  return [
    {
      what: `Processor time of the primary with 3 relays and ${count} pages against no page at all (as a process without relays and pages goes)`,
      measured: `${(spent / SECONDS).toFixed(1)} of ${(before / SECONDS).toFixed(1)} ms a second: ${ratio.toFixed(2)} ×; the process without relays ${(alone / SECONDS).toFixed(1)} and ${(aloneAfter / SECONDS).toFixed(1)}`,
      target: `≤ ${LIMITS.primary} ×`,
      ok: ratio <= LIMITS.primary,
    },
    {
      what: `3 relays, ${count} pages, ${Object.keys(reference).length} ticks: pages with every byte of every tick, and when they had it`,
      measured: `${complete} (other text: ${wrong}), p99 ${ms(late)}`,
      target: `${3 * OF_A_RELAY}, p99 ≤ ${LIMITS.p99} ms`,
      ok: complete === 3 * OF_A_RELAY && wrong === 0 && late <= LIMITS.p99,
    },
    {
      what: `Memory of a relay with ${OF_A_RELAY} pages (resident, the largest of 3)`,
      measured: `${resident.toFixed(0)} MB`,
      target: `≤ ${LIMITS.residentMb} MB`,
      ok: resident <= LIMITS.residentMb,
    },
  ];
}

/** A relay with 10,000 pages is killed; they come back to the others, as a proxy in front sends them. */
async function killRow(stage: RelayStage, [pages, others]: readonly [Pages, Pages]): Promise<Row> {
  await others.ask({ do: 'leave' });
  const [, ...left] = stage.relays.map(({ port }) => port);
  await pages.ask({ do: 'move', ports: left });
  await Bun.sleep(2000);
  await pages.ask({ do: 'arm' });
  await stage.relays.shift()?.stop('SIGKILL');
  let state = await pages.ask({ do: 'report', reference: {} });
  for (let second = 0; second < 60 && state.back < state.lost; second += 1) {
    await Bun.sleep(1000);
    state = await pages.ask({ do: 'report', reference: {} });
  }
  await Bun.sleep(2000);
  const { lost, back, gaps, doubles, wrong, again, longestAway } = await pages.ask({
    do: 'report',
    reference: {},
  });
  return {
    what: `kill -9 of a relay with ${lost} pages, all return to others (browsers wait 1.5 to 4.5 s, as they were told)`,
    measured: `${back} back, the last after ${(longestAway / 1000).toFixed(1)} s; ${gaps} gaps, ${doubles} doubled, ${wrong} other text, ${again} began again`,
    target: `0 gaps, 0 doubled, ≤ ${LIMITS.backMs / 1000} s`,
    ok: lost === back && gaps + doubles + wrong === 0 && longestAway <= LIMITS.backMs,
  };
}

/** Adds what a part measured; one that fails costs the others nothing. */
async function add(rows: Row[], what: string, measure: () => Promise<Row[]>): Promise<void> {
  try {
    rows.push(...(await measure()));
  } catch (error) {
    const measured = `failed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
    rows.push({ what, measured, target: '', ok: false });
  }
}

type Stages = { single: Running; stage: RelayStage; both: readonly [Pages, Pages] };

async function measureAll({ single, stage, both }: Stages): Promise<Row[]> {
  const rows: Row[] = [];
  const [pages] = both;
  const three = async (): Promise<void> => {
    while (stage.relays.length < 3) await stage.addRelay();
  };
  await add(rows, 'Start of a relay', async () => [await startRow(stage)]);
  await add(rows, 'Processor time of a delivery', async () => [await ratioRow(single, stage, pages)]);
  await add(rows, 'Added delay', async () => [await addedRow(stage, pages)]);
  await add(rows, '3 relays', async () => {
    await three();
    await Bun.sleep(3000);
    return await manyRows(single, stage, both);
  });
  await add(rows, 'kill -9 of a relay', async () => [await killRow(stage, both)]);
  return rows;
}

/** What relays promise while nothing but a relay is killed; see `relayKills.ts` for the rest. */
export async function run(): Promise<Row[]> {
  await needExecutable();
  const dataDir = await temporaryFolder();
  const both = [startPages(), startPages()] as const;
  const single = await startSingle();
  const stage = await startStage(dataDir);
  try {
    return await measureAll({ single, stage, both });
  } finally {
    for (const pages of both) await pages.stop();
    await stage.stop();
    await single.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
}
