import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import { openSessions } from '#market/sessions/files.ts';
import { makeSessions } from '#sources/quotes/simulator/sessions.ts';
import type { Row } from './row.ts';
import type { OddsPass } from './support/oddsPass.ts';

const SOURCE = 'bench';
const SESSIONS = 90;
const LAST = '2026-11-30';
const COMPARED_STOCKS = 200;
const GRADEMARK = 'grademark@0.3.0';
/** It needs this one without naming it. */
const MISSING = 'chai@4.5.0';

function datesUntil(last: string, count: number): string[] {
  const dates = [last];
  while (dates.length < count) dates.push(previousTradingDay(dates.at(-1) ?? last));
  return dates.reverse();
}

async function passOf(folder: string, scan: string): Promise<OddsPass> {
  const script = join(import.meta.dir, 'support', 'oddsPass.ts');
  const child = Bun.spawn([process.execPath, script, folder, SOURCE, scan], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`The run of ${scan} failed.`);
  return JSON.parse(text) as OddsPass;
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;

function rowsOf(what: string, { wallMs, processorMs, firstMs, grown, rows, entries }: OddsPass): Row[] {
  const megabytes = grown / 2 ** 20;
  return [
    {
      what: `${what}: processor time, ${(rows / 1e6).toFixed(1)} million minutes`,
      measured: `${ms(processorMs)} (${ms(wallMs)} in all), ${entries} entries`,
      target: '3 s',
      ok: processorMs <= 3000,
    },
    { what: `${what}: first numbers`, measured: ms(firstMs), target: '500 ms', ok: firstMs <= 500 },
    { what: `${what}: memory`, measured: `${megabytes.toFixed(0)} MB`, target: '80 MB', ok: megabytes <= 80 },
  ];
}

type Bar = {
  time: Date;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  change: number;
};

/** The minute bars of some stocks of a session, as the other program reads them. */
function barsOf(folder: string): Bar[][] {
  const session = openSessions(folder, SOURCE).read(LAST);
  if (!session) throw new Error('There is no session to compare with.');
  const all: Bar[][] = [];
  for (const stock of session.stocks()) {
    const [open, high, low, last, volume] = (['open', 'high', 'low', 'last', 'volume'] as const).map((name) =>
      stock.column(name),
    );
    const bars: Bar[] = [];
    for (let row = 0; row < stock.rows; row += 1) {
      const close = last?.[row] ?? Number.NaN;
      if (Number.isNaN(close)) continue;
      bars.push({
        time: new Date((stock.minutes[row] ?? 0) * 60_000),
        open: open?.[row] ?? close,
        high: high?.[row] ?? close,
        low: low?.[row] ?? close,
        close,
        volume: volume?.[row] ?? 0,
        change: (close / stock.close - 1) * 100,
      });
    }
    if (bars.length > 0) all.push(bars);
    if (all.length === COMPARED_STOCKS) break;
  }
  return all;
}

type Compared = { bars: number; processorMs: number };

/** Runs the other program on bars: entry at a rise of 5 % with volume, exit after 30 bars. */
async function compare(folder: string): Promise<Compared> {
  const home = join(folder, 'grademark');
  await Bun.write(join(home, 'package.json'), '{}');
  const install = Bun.spawn([process.execPath, 'add', '--silent', GRADEMARK, MISSING], {
    cwd: home,
    stderr: 'inherit',
  });
  if ((await install.exited) !== 0) throw new Error(`${GRADEMARK} could not be installed.`);
  const { backtest } = await import(join(home, 'node_modules', 'grademark'));
  const { DataFrame } = await import(join(home, 'node_modules', 'data-forge'));
  const strategy = {
    entryRule(enter: () => void, { bar }: { bar: Bar }) {
      if (bar.change >= 5 && bar.close < 1 && bar.volume * bar.close >= 50_000) enter();
    },
    exitRule(exit: () => void, { position }: { position: { holdingPeriod: number } }) {
      if (position.holdingPeriod >= 30) exit();
    },
  };
  const all = barsOf(folder);
  const since = process.cpuUsage();
  for (const bars of all) backtest(strategy, new DataFrame(bars));
  const { user, system } = process.cpuUsage(since);
  return { bars: all.reduce((sum, { length }) => sum + length, 0), processorMs: (user + system) / 1000 };
}

/** @param sessions of the history; fewer are made faster */
export async function run(sessions = SESSIONS): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bellbird-odds-'));
  try {
    makeSessions({ folder, source: SOURCE, dates: datesUntil(LAST, sessions), seed: 1 }, () => {});
    const conditions = await passOf(folder, 'conditions');
    const scanner = await passOf(folder, 'scanner');
    const theirs = await compare(folder);
    const [ours, other] = [conditions.rows / conditions.processorMs, theirs.bars / theirs.processorMs];
    return [
      ...rowsOf(`Five conditions, ${sessions} sessions`, conditions),
      ...rowsOf(`Top Movers under $1, ${sessions} sessions`, scanner),
      {
        what: `Minutes per second compared with ${GRADEMARK} (${COMPARED_STOCKS} stocks; Bellbird includes reading the files)`,
        measured: `${(ours / 1000).toFixed(1)} million, ${GRADEMARK} ${(other / 1000).toFixed(2)} million: ${(ours / other).toFixed(0)} times faster`,
        target: 'faster',
        ok: ours > other,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
