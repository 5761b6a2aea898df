import { rm } from 'node:fs/promises';
import { createRandom } from '#lib/random.ts';
import { needExecutable, temporaryFolder } from '#support/executable.ts';
import type { Row } from './row.ts';
import { type Child, preciseNow, startChild } from './support/pinned.ts';
import { openProbe } from './support/probe.ts';
import type { PagesOrder, PagesState } from './support/relayPages.ts';
import { type RelayStage, startStage } from './support/relayStage.ts';
import { countDifferent } from './support/truePage.ts';
import { startWriter, type Writer } from './support/writer.ts';

const KILLS = 20;
const OF_A_RELAY = 100;
const LIMIT_S = 5;
/** Longer than it may take until pages claim nothing. */
const DOWN_MS = 6500;
const BACK_MS = 40_000;

type Pages = Child<PagesOrder, PagesState>;

type Round = {
  /** Until the last page claims to be live no more, s. */
  claimed: number;
  /** From the start of what was killed until all pages are served again, s. */
  back: number;
  notBack: number;
  gaps: number;
  doubles: number;
  wrong: number;
  /** Relays that show another market than the primary afterwards. */
  different: number;
};

async function joined(stage: RelayStage, pages: Pages): Promise<number> {
  const ports = stage.relays.map(({ port }) => port);
  const { open } = await pages.ask({ do: 'join', count: OF_A_RELAY * ports.length, ports });
  return open;
}

const ask = (pages: Pages): Promise<PagesState> => pages.ask({ do: 'report', reference: {} });

/** Waits until every page is told ticks again. @returns how long, s, and how many are not */
async function untilServed(pages: Pages): Promise<{ back: number; notBack: number }> {
  const started = preciseNow();
  for (;;) {
    const { pages: all, open, liveUntil } = await ask(pages);
    const waited = preciseNow() - started;
    const isServed = open === all && liveUntil > preciseNow() + 3000;
    if (isServed || waited > BACK_MS) return { back: waited / 1000, notBack: all - open };
    await Bun.sleep(100);
  }
}

/** Kills something at a random moment and has it started again. */
async function round(
  stage: RelayStage,
  pages: Pages,
  kill: () => Promise<() => Promise<void>>,
): Promise<Round> {
  await pages.ask({ do: 'arm' });
  const killedAt = preciseNow();
  const startAgain = await kill();
  await Bun.sleep(DOWN_MS);
  const { liveUntil } = await ask(pages);
  await startAgain();
  const served = await untilServed(pages);
  const urls = stage.relays.map(({ url }) => url);
  const different = await countDifferent(stage.primary.url, urls);
  const { gaps, doubles, wrong } = await ask(pages);
  return { claimed: (liveUntil - killedAt) / 1000, ...served, gaps, doubles, wrong, different };
}

async function rounds(
  ...[stage, pages, kills, kill]: [RelayStage, Pages, number, () => Promise<() => Promise<void>>]
): Promise<Round[]> {
  const random = createRandom(26);
  const done: Round[] = [];
  for (let turn = 0; turn < kills; turn += 1) {
    await Bun.sleep(1000 + 3000 * random());
    done.push(await round(stage, pages, kill));
  }
  return done;
}

const sum = (done: readonly Round[], value: (round: Round) => number): number =>
  done.reduce((total, one) => total + value(one), 0);
const most = (done: readonly Round[], value: (round: Round) => number): number =>
  Math.max(...done.map(value));

type Written = Awaited<ReturnType<Writer['check']>>;

function rowOf(what: string, done: readonly Round[], written: Written, note: string): Row {
  const kinds = ['gaps', 'doubles', 'wrong', 'different'] as const;
  const counts = kinds.map((kind) => sum(done, (one) => one[kind]));
  const faults = counts.reduce((all, count) => all + count, 0);
  const claimed = most(done, (one) => one.claimed);
  const notBack = sum(done, (one) => one.notBack);
  const { acknowledged, unanswered, lost, doubled } = written;
  return {
    what,
    measured: `${lost} of ${acknowledged} acknowledged writes lost, ${doubled} done twice (${unanswered} without an answer); pages with gaps, doubles, other data, and relays with another market: ${counts.join(', ')}; nothing claimed live after ${claimed.toFixed(1)} s; served again at most ${most(done, (one) => one.back).toFixed(1)} s after its start, ${notBack} not${note}`,
    target: `0 lost, 0 wrong, ≤ ${LIMIT_S} s`,
    ok: lost + doubled + faults + notBack === 0 && claimed <= LIMIT_S,
  };
}

/** kill -9 of the message engine; the primary's own page is to notice nothing. */
async function killEngine(stage: RelayStage, pages: Pages, kills: number): Promise<Row> {
  const count = await joined(stage, pages);
  const writer = await startWriter(
    stage.relays.map(({ url }) => url),
    'EngineWriter',
  );
  const probe = await openProbe(stage.primary.port);
  const ticks: number[] = [];
  const done = await rounds(stage, pages, kills, async () => {
    probe.reset();
    await stage.redis.kill();
    return async () => {
      ticks.push(Object.keys(probe.times()).length);
      await stage.redis.restart();
    };
  });
  probe.leave();
  await writer.stop();
  const written = await writer.check(stage.primary.url);
  await pages.ask({ do: 'leave' });
  const note = `; ticks to a page of the primary meanwhile: ${ticks.join(', ')}`;
  return rowOf(
    `kill -9 of the engine ${kills} times, ${count} pages at 3 relays, down ${DOWN_MS / 1000} s`,
    done,
    written,
    note,
  );
}

/** kill -9 of the primary, which comes back on the same data. */
async function killPrimary(stage: RelayStage, pages: Pages, kills: number): Promise<Row> {
  const count = await joined(stage, pages);
  const writer = await startWriter(
    stage.relays.map(({ url }) => url),
    'PrimaryWriter',
  );
  const done = await rounds(stage, pages, kills, async () => {
    await stage.primary.stop('SIGKILL');
    return () => stage.startPrimary();
  });
  await writer.stop();
  const written = await writer.check(stage.primary.url);
  await pages.ask({ do: 'leave' });
  return rowOf(
    `kill -9 of the primary ${kills} times, ${count} pages at 3 relays, down ${DOWN_MS / 1000} s`,
    done,
    written,
    '',
  );
}

/** Kills something of a message engine, a primary and three relays at random moments. */
async function staged(
  kill: (stage: RelayStage, pages: Pages, kills: number) => Promise<Row>,
  kills: number,
): Promise<Row[]> {
  await needExecutable();
  const dataDir = await temporaryFolder();
  const pages = startChild<PagesOrder, PagesState>('relayPages.ts', 1);
  const stage = await startStage(dataDir);
  try {
    while (stage.relays.length < 3) await stage.addRelay();
    return [await kill(stage, pages, kills)];
  } finally {
    await pages.stop();
    await stage.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export const runEngine = (kills = KILLS): Promise<Row[]> => staged(killEngine, kills);
export const runPrimary = (kills = KILLS): Promise<Row[]> => staged(killPrimary, kills);
