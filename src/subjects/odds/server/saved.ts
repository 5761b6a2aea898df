import { unpackJson } from '#lib/pack.ts';
import type { Wire } from '#lib/contract/fields.ts';
import { nextTurn } from '#lib/turns.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { minuteOfKey, createMinuteKeys } from '#market/rules/localTime.ts';
import type { App } from '#platform/app.ts';
import { PLAN_LIMITS } from '#platform/http/rules/accessLevel.ts';
import { AppError } from '#platform/http/errors.ts';
import { createUserLimit, createWriteLimit, type UserLimit } from '#platform/http/requestLimits.ts';
import { isPlainLine } from '#lib/text.ts';
import { operandsOf } from '#subjects/conditions/rules/condition.ts';
import { formatDate } from '#texts/format.ts';
import type { savedOdds } from '../answers/odds.ts';
import type { AskedOdds } from '../rules/asked.ts';
import { entryRows, type OddsEntry } from '../rules/entryRows.ts';
import type { OddsEntries } from '../rules/result.ts';
import { ScanChoice, type SentOdds } from './asked.ts';
import type { JobOf } from './job.ts';
import type { OddsRuns } from './runs.ts';
import type { OddsInputs, Page } from './service.ts';
import type { DayRow, OddsStore, SavedRow } from './store.ts';

type SavedView = Wire<typeof savedOdds>;

const MAX_WRITES_A_MINUTE = 30;
const MAX_READS_A_MINUTE = 120;
export const MAX_NAME = 80;

const GONE = 'These saved odds no longer exist.';
const WAITS_FOR_LIVE = 'A replay is running. Entries are collected while the market is live.';

/** @throws AppError 400 */
function checkedName(sent: unknown, missing: string): string {
  const name = typeof sent === 'string' ? sent.trim() : '';
  if (name === '') return missing;
  if (name.length <= MAX_NAME && isPlainLine(name)) return name;
  throw new AppError(400, {
    field: 'name',
    message: `The name must be one line of at most ${MAX_NAME} characters.`,
  });
}

/** Names the sources if the sessions have several. */
function sourceNotes(days: readonly Pick<DayRow, 'date' | 'source'>[]): string[] {
  const first = new Map<string, string>();
  for (const { date, source } of days) if (!first.has(source)) first.set(source, date);
  if (first.size < 2) return [];
  const since = [...first].map(([source, date]) => `${source} from ${formatDate(date)}`);
  return [`The sessions are from several market sources: ${since.join(', ')}.`];
}

/** Saved odds, and the entries since they were saved. */
export class SavedOdds {
  private readonly choice: ScanChoice;
  private readonly countWrite: UserLimit;
  private readonly countRead: UserLimit;
  /** Results by id, valid for as many stored sessions until that date. */
  private readonly results = new Map<number, { key: string; result: SavedView['result'] }>();

  constructor(
    private readonly app: App,
    private readonly store: OddsStore,
    private readonly runs: OddsRuns,
    private readonly inputs: OddsInputs,
  ) {
    this.choice = new ScanChoice(app);
    this.countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your saved odds');
    this.countRead = createUserLimit(app.clock, MAX_READS_A_MINUTE, 'Too many requests for odds.');
  }

  /** @throws AppError 400 with the field, 404, 429 */
  async save(userId: number, sent: SentOdds & { name?: unknown }): Promise<SavedView> {
    this.countWrite(userId);
    const { asked, subject, name } = this.choice.check(userId, sent);
    return this.view(this.put(userId, { asked, subject, name: checkedName(sent.name, name) }));
  }

  /** Saves checked odds, in a caller's transaction too. @throws AppError 400 if there are too many */
  put(userId: number, saved: Pick<SavedRow, 'asked' | 'subject' | 'name'>): SavedRow {
    const limit = this.limitOf(userId);
    if (this.store.savedOf(userId).length >= limit) {
      const more = limit < PLAN_LIMITS[3].savedOdds ? ' A higher plan has more.' : '';
      throw new AppError(400, `Your plan has ${limit} saved odds. Delete one before you add another.${more}`);
    }
    const { clock, source } = this.app;
    // During a replay the market’s clock shows a past day.
    const savedAt = Math.floor(source.replay ? clock.now() : source.clock.now());
    return this.store.save({ ...saved, userId, savedAt });
  }

  async list(userId: number): Promise<{ saved: SavedView[]; limit: number }> {
    this.countRead(userId);
    const saved = await Promise.all(this.store.savedOf(userId).map((row) => this.view(row)));
    return { saved, limit: this.limitOf(userId) };
  }

  /** @throws AppError 404, 429 */
  remove(userId: number, id: number): void {
    this.countWrite(userId);
    if (!this.store.remove(userId, id)) throw new AppError(404, GONE);
    this.results.delete(id);
  }

  /** A page of the entries, newest first. @throws AppError 404, 429 */
  entries(userId: number, id: number, { offset, limit }: Page): { total: number; entries: OddsEntry[] } {
    this.countRead(userId);
    if (!this.store.own(userId, id)) throw new AppError(404, GONE);
    const days = this.store.dates(id).toReversed();
    const total = days.reduce((sum, { entryCount }) => sum + entryCount, 0);
    const entries: OddsEntry[] = [];
    let before = 0;
    for (const { date, entryCount } of days) {
      const from = Math.max(0, offset - before);
      before += entryCount;
      if (from >= entryCount) continue;
      const packed = this.store.entriesOf(id, date);
      if (!packed) continue;
      const rows = entryRows(unpackJson(packed) as OddsEntries, this.inputs.nameOf);
      entries.push(...rows.slice(from, from + limit - entries.length));
      if (entries.length >= limit) break;
    }
    return { total, entries };
  }

  private limitOf(userId: number): number {
    return PLAN_LIMITS[this.app.accounts.stateOf(userId)?.accessLevel ?? 1].savedOdds;
  }

  private async view(row: SavedRow): Promise<SavedView> {
    const { id, name, subject, asked, savedAt } = row;
    const dates = this.store.dates(id);
    const until = dates.at(-1)?.date ?? null;
    return {
      id,
      name,
      subject,
      scan: asked.scan,
      settings: asked.settings,
      saved_at: new Date(savedAt).toISOString(),
      sessions: dates.length,
      until,
      result: until === null ? null : await this.resultOf(id, `${dates.length} ${until}`),
      problem: this.app.source.replay ? WAITS_FOR_LIVE : null,
    };
  }

  private async resultOf(id: number, key: string): Promise<SavedView['result']> {
    const known = this.results.get(id);
    if (known?.key === key) return known.result;
    const days = this.store.days(id);
    const job: JobOf<'sum'> = { id: this.app.randomToken(), kind: 'sum', days, notes: sourceNotes(days) };
    const json = await this.runs.read(job);
    const result = json === null ? null : (JSON.parse(json) as SavedView['result']);
    this.results.set(id, { key, result });
    return result;
  }
}

const readsIndicators = ({ scan, scans }: AskedOdds): boolean =>
  scan.type === 'logic' &&
  [scan.logic, ...scans.map(({ logic }) => logic)].flatMap(operandsOf).some(({ type }) => type !== 'field');

/** After the closing auction there are no entries. */
const LAST_MINUTE = 970;

/** Stores the entries of saved odds after each session. */
export class EntryCollector {
  private readonly keyAt = createMinuteKeys();
  private isWorking = false;
  /** Version of the history at the last complete work, so that nothing is read twice. */
  private doneAt: string | null = null;

  constructor(
    private readonly app: App,
    private readonly store: OddsStore,
    private readonly runs: OddsRuns,
    private readonly inputs: OddsInputs,
  ) {}

  /** Stores every session that is over and not stored yet. A failed one is tried again at the next call. */
  async work(): Promise<void> {
    const { market, sessions, source } = this.app;
    // The sessions of a replay are past ones.
    if (this.isWorking || source.replay) return;
    const dates = this.inputs.overDates();
    // The running session changes every minute, and after its end until it is complete.
    const version = dates.at(-1) === market.date() ? sessions.version() : '';
    const state = `${dates.length} ${dates.at(-1) ?? ''} ${version}`;
    if (state === this.doneAt || dates.length === 0) return;
    this.isWorking = true;
    try {
      for (let row = this.store.nextSaved(0); row; row = this.store.nextSaved(row.id)) {
        await this.collect(row, dates);
        await nextTurn();
      }
      this.doneAt = state;
    } finally {
      this.isWorking = false;
    }
  }

  private async collect(row: SavedRow, dates: readonly string[]): Promise<void> {
    const saved = { date: sydneyDate(row.savedAt), minute: minuteOfKey(this.keyAt(row.savedAt)) };
    const isFirst = (date: string): boolean =>
      date > saved.date || (date === saved.date && saved.minute < LAST_MINUTE);
    const stored = this.store.dates(row.id);
    const last = stored.at(-1);
    const due = dates.filter((date) => isFirst(date) && (!last || date > last.date));
    const [first] = due;
    if (first === undefined) return;
    // The trades of the last session may end in the next one.
    const from = last && !last.isFinal && dates.includes(last.date) ? last.date : first;
    const read = readsIndicators(row.asked) ? dates : dates.filter((date) => date >= from);
    const days = await this.runs.collect({
      id: this.app.randomToken(),
      kind: 'collect',
      input: this.inputs.of(row.asked, read),
      from,
      saved,
      current: this.app.market.date(),
    });
    this.store.putDays(row.id, this.app.source.name, days);
  }
}
