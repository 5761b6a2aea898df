import { DAY_MS } from '#lib/units.ts';
import { unpackJson } from '#lib/pack.ts';
import { minuteText } from '#lib/text.ts';
import { folderOf } from '#lib/dayFiles.ts';
import { sessionFiles } from '#market/sessions/files.ts';
import { createPhaseReader } from '#market/rules/sessionClock.ts';
import { specialDays } from '#market/rules/tradingDay.ts';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import type { App } from '#platform/app.ts';
import { AppError } from '#platform/http/errors.ts';
import { createUserLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import { operandsOf } from '#subjects/conditions/rules/condition.ts';
import { csvOf } from '#texts/csv.ts';
import type { AskedOdds } from '../rules/asked.ts';
import { entryRows, type EntrySort, type OddsEntry } from '../rules/entryRows.ts';
import type { OddsEntries } from '../rules/result.ts';
import { ScanChoice, type SentOdds } from './asked.ts';
import { type DailyPlace, type EngineInput, type HistoryPlace, PAGE } from './job.ts';
import { type OddsRuns, Run } from './runs.ts';
import { type OddsStore, variantHash } from './store.ts';

/** Limits per minute. Every change in the form starts one run. */
const MAX_RUNS_A_MINUTE = 60;
const MAX_READS_A_MINUTE = 240;
export const COUNTED_MS = 90 * DAY_MS;

/** A worker needs about 200 bytes for each. */
const MAX_SORTED = 500_000;
const TOO_MANY_TO_SORT = 'These are too many entries to sort. Save them as CSV instead.';

const GONE = 'This run is no longer there. Start it again.';

export type Page = { offset: number; limit: number };

/** Families of indicators in conditions, because a catalog has hundreds. */
function familiesOf({ scan, scans }: AskedOdds): Set<string> {
  if (scan.type === 'scanner') return new Set();
  const operands = [scan.logic, ...scans.map(({ logic }) => logic)].flatMap(operandsOf);
  return new Set(operands.flatMap((operand) => (operand.type === 'indicator' ? [operand.family] : [])));
}

/** What is known of the market beyond the session history. */
export class OddsInputs {
  private readonly readPhase = createPhaseReader();

  constructor(private readonly app: App) {}

  place(): HistoryPlace {
    const { folder, source } = this.app.sessions;
    return { folder, source };
  }

  of(asked: AskedOdds, dates: readonly string[]): EngineInput {
    const { indicators, market, values } = this.app;
    const codes = [...market.all().keys()];
    const families = familiesOf(asked);
    const known = Object.entries(indicators.catalog.current().indicators);
    return {
      ...this.place(),
      asked,
      dates,
      daily: this.dailyPlace(),
      specialDays: specialDays(),
      adjustments: codes.flatMap((code) => {
        const adjustments = values.adjustments.of(code);
        return adjustments.length > 0 ? [[code, adjustments] as const] : [];
      }),
      indicators: Object.fromEntries(known.filter(([family]) => families.has(family))),
      names: asked.scan.filters?.text === undefined ? [] : this.names(),
    };
  }

  /** Null if no worker can read the database. */
  private dailyPlace(): DailyPlace | null {
    const { db, source } = this.app;
    const make = source.sessions?.make;
    if (make?.kind === 'simulated') return { kind: 'simulated', seed: make.seed };
    const path = db.$client.filename;
    const isLocked = db.$client.query('PRAGMA locking_mode').values()[0]?.[0] === 'exclusive';
    return path === ':memory:' || isLocked ? null : { kind: 'stored', path, source: source.name };
  }

  names(): EngineInput['names'] {
    return [...this.app.market.all()].map(([code, { name }]) => [code, name]);
  }

  readonly nameOf = (code: string): string => this.app.market.get(code)?.name ?? '';

  /** Sessions whose trading is over, oldest first. */
  overDates(): string[] {
    const { market, sessions, source } = this.app;
    const today = market.date();
    const isOver = this.readPhase(source.clock.now()).phase === 'closed';
    return sessions.dates().filter((date) => date < today || (date === today && isOver));
  }

  /** Names of the other sources that have sessions. */
  otherSources(): string[] {
    const { folder, source } = this.place();
    const others = sessionFiles(folder)
      .folders()
      .filter((name) => name !== folderOf(source));
    return others.map((name) => decodeURIComponent(name));
  }
}

/** Runs the odds that users ask for. */
export class Odds {
  private readonly choice: ScanChoice;
  private readonly countRun: UserLimit;
  private readonly countRead: UserLimit;

  constructor(
    private readonly app: App,
    private readonly store: OddsStore,
    private readonly runs: OddsRuns,
    private readonly inputs: OddsInputs,
  ) {
    this.choice = new ScanChoice(app);
    this.countRun = createUserLimit(app.clock, MAX_RUNS_A_MINUTE, 'Too many odds.');
    this.countRead = createUserLimit(app.clock, MAX_READS_A_MINUTE, 'Too many requests for odds.');
  }

  /** Starts a run, which cancels the one of the same tab. @throws AppError 400 with the field, 404, 429 */
  start(userId: number, { tab = '', ...sent }: SentOdds & { tab?: string | undefined }): Run {
    this.countRun(userId);
    const { asked, subject, name } = this.choice.check(userId, sent);
    const now = this.app.clock.now();
    const hash = variantHash(asked);
    const variants = this.store.countVariants(userId, subject, hash, now, now - COUNTED_MS);
    const input = this.inputs.of(asked, this.inputs.overDates());
    const id = this.app.randomToken();
    const head = { name, variants, history: this.history(input.dates) };
    const run = new Run(userId, tab, { id, kind: 'run', input, variants }, head);
    this.runs.start(run);
    return run;
  }

  /** @throws AppError 404 for another user's run, 429 */
  own(userId: number, id: string): Run {
    this.countRead(userId);
    const run = this.runs.get(userId, id);
    if (!run) throw new AppError(404, GONE);
    return run;
  }

  cancel(userId: number, id: string): void {
    this.runs.remove(this.own(userId, id));
  }

  /** @param sort null for the newest first @throws AppError 400, 404, 429, 503 */
  async entries(
    userId: number,
    id: string,
    { offset, limit }: Page,
    sort: EntrySort | null,
  ): Promise<{ total: number; entries: OddsEntry[] }> {
    const run = this.own(userId, id);
    if (sort && run.entries.total > MAX_SORTED) throw new AppError(400, TOO_MANY_TO_SORT);
    const names = sort?.by === 'name' ? this.inputs.names() : [];
    const { total, pages } = sort ? await this.runs.sorted(run, sort, names) : run.entries;
    const first = Math.floor(offset / PAGE);
    const rows = pages.slice(first, Math.floor((offset + limit - 1) / PAGE) + 1).flatMap(this.rowsOf);
    const from = offset - first * PAGE;
    return { total, entries: rows.slice(from, from + limit) };
  }

  /** The minutes of a stock in a recorded session, as JSON; null if there are none. @throws AppError 400, 429, 503 */
  async day(userId: number, symbol: string, date: string): Promise<string | null> {
    this.countRead(userId);
    if (!this.app.sessions.dates().includes(date)) return null;
    const asked = { place: this.inputs.place(), date, symbol: normaliseSymbol(symbol) };
    return this.runs.read({ id: this.app.randomToken(), kind: 'day', ...asked });
  }

  *csv(run: Run): Steps<string> {
    const parts: string[] = [];
    for (const page of run.entries.pages) {
      parts.push(csvOf({ headings: [...HEADINGS], rows: this.rowsOf(page).map(cellsOf) }));
      yield;
    }
    // Each part begins with the mark of a spreadsheet's encoding and the headings.
    const [first = csvOf({ headings: [...HEADINGS], rows: [] }), ...others] = parts;
    return first + others.map((part) => part.slice(part.indexOf('\n') + 1)).join('');
  }

  private readonly rowsOf = (page: Uint8Array): OddsEntry[] =>
    entryRows(unpackJson(page) as OddsEntries, this.inputs.nameOf);

  private history(dates: readonly string[]) {
    const { sessions, source } = this.app;
    return {
      sessions: dates.length,
      from: dates[0] ?? null,
      until: dates.at(-1) ?? null,
      source: source.name,
      isReplay: source.replay !== undefined,
      otherSources: this.inputs.otherSources(),
      making: sessions.progress(),
    };
  }
}

const HEADINGS = [
  'Date',
  'Time',
  'Code',
  'Company',
  'Announcement',
  'Bought',
  'Price paid',
  'Sold on',
  'Sold',
  'Price received',
  'Reason',
  'Result %',
  'Before costs %',
] as const;

const cellsOf = (entry: OddsEntry) => [
  entry.date,
  minuteText(entry.minute),
  entry.symbol,
  entry.name,
  entry.hasNews ? 'yes' : 'no',
  minuteText(entry.fillMinute),
  entry.fill,
  entry.exitDate,
  minuteText(entry.exitMinute),
  entry.exit,
  entry.reason,
  entry.result,
  entry.before,
];
