import type { Clock } from '#lib/clock.ts';
import type { DayFiles } from '#lib/dayFiles.ts';
import { FirstFailure, type Log } from '#lib/log.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { nextTurn } from '#lib/turns.ts';
import { MINUTE_MS } from '#lib/units.ts';
import type { App } from '#platform/app.ts';
import { type KeyedBar, type QuotedFigures, quotedOn, tradeOf, withTrade } from '../bars/rules/quoteBars.ts';
import type { MarketSource } from '../sources/quotes.ts';
import { createMarketSession } from '../newSession.ts';
import { dayOf } from '../rules/localTime.ts';
import { type Stock, STOCK_STATUSES } from '../rules/stock.ts';
import { isFund } from '../rules/stockState.ts';
import type { ChangeSet } from '../types.ts';
import { COLUMN_SCALE, wholeOf, WholeRows } from './codec.ts';
import { newsSince, sessionHours } from './hours.ts';
import { framed, isWholeFile, unframed } from './files.ts';
import { coverageOf, readParts, SessionWriter, type StockFacts } from './parts.ts';
import { SESSION_COLUMNS, type SessionColumn, type SessionGap } from './rules/sessionDay.ts';

/** A feed without prices for this long is silent; an active one sends several times a minute. */
const SILENT_MS = 60_000;
/** A polled feed is silent after this many intervals. */
const SILENT_INTERVALS = 2.5;

/** Minutes between writes that also survive a power cut. All others survive the end of the process. */
const SYNC_MINUTES = 10;

/** Limit of minutes in memory that could not be written. */
const MAX_WAITING = 120;

const LOST = 'Minutes of the session history were lost because they could not be saved';
const NOT_SAVED = 'Could not save the session history; trying again';

type MinuteValues = Record<Exclude<SessionColumn, 'open' | 'high' | 'low' | 'last'>, number>;

/** The columns of the minute's trades, by their names in bars. */
const PRICE_OF: Readonly<Partial<Record<SessionColumn, 'open' | 'high' | 'low' | 'close'>>> = {
  open: 'open',
  high: 'high',
  low: 'low',
  last: 'close',
};

/** A stock since its last row. */
type Following = {
  quote: QuotedFigures | null;
  bar: KeyedBar | null;
  values: MinuteValues;
  isChanged: boolean;
};

/** A minute whose rows are not all encoded yet. */
type EndedRow = { code: string } & Pick<Following, 'bar' | 'values'>;
type EndedMinute = { minute: number; hours: SessionGap; rows: EndedRow[] };

/** Rows that are encoded in one turn, in about a millisecond, so that a busy minute does not block the event loop. */
const ROWS_A_TURN = 300;

const orNaN = (value: number | null | undefined): number => value ?? Number.NaN;

/** Announcements since a time, and the price-sensitive ones of them. */
function newsOf({ news, sensitiveAnnouncements }: Stock, since: number): { news: number; sensitive: number } {
  let [count, sensitive] = [0, 0];
  for (const date in news) {
    const announcements = news[date]?.announcements;
    for (const id in announcements) {
      const announcement = announcements[id];
      if (!announcement || Date.parse(announcement.time) < since) continue;
      count += 1;
      if (announcement.isPriceSensitive) sensitive += 1;
    }
  }
  return { news: count, sensitive: Math.max(sensitive, sensitiveAnnouncements ?? 0) };
}

function openingOf({ preOpen }: Stock, midnight: number): StockFacts['opening'] {
  if (!preOpen) return null;
  const { capturedAt, match_price, match_vol, buy_surplus } = preOpen.snapshot;
  return {
    minute: Math.floor((Date.parse(capturedAt) - midnight) / MINUTE_MS),
    price: orNaN(match_price),
    volume: orNaN(match_vol),
    surplus: orNaN(buy_surplus),
  };
}

function factsOf(stock: Stock, midnight: number): StockFacts {
  const range = stock.yearRange ?? stock.htf?.['52W'];
  return {
    code: stock.code,
    isFund: isFund(stock),
    sector: stock.sector,
    close: orNaN(stock.close),
    yearHigh: orNaN(range?.['high']),
    yearLow: orNaN(range?.['low']),
    opening: openingOf(stock, midnight),
  };
}

/** Members that make a row if they change without a trade. */
const ROW_MEMBERS = ['status', 'matchPrice', 'matchVolume', 'surplus', 'news', 'sensitive'] as const;

const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

const valuesOf = (stock: Stock): MinuteValues => ({
  volume: orNaN(stock.volume),
  value: orNaN(stock.value),
  relativeVolume: orNaN(stock.relativeVolume),
  vwap: orNaN(stock.vwap),
  marketCap: orNaN(stock.marketCap),
  matchPrice: orNaN(stock.match_price),
  matchVolume: orNaN(stock.match_vol),
  surplus: orNaN(stock.buy_surplus),
  status: STOCK_STATUSES.indexOf(stock.status),
  news: 0,
  sensitive: 0,
});

/** The day until now as the beginning of a minute's bar, for trades that are in no row. */
const barSoFar = ({ open }: Stock, quote: QuotedFigures | null, minute: number): KeyedBar | null =>
  quote && { key: minute, open: orNaN(open), high: quote.high, low: quote.low, close: quote.last, volume: 0 };

type Day = {
  date: string;
  number: number;
  midnight: number;
  newsSince: number;
  hours: SessionGap | null;
  /** Where the next part is written. */
  end: number;
  /** The first minute that is seen from its beginning. */
  seenFrom: number;
};

const NO_DAY: Day = { date: '', number: 0, midnight: 0, newsSince: 0, hours: null, end: 0, seenFrom: 0 };

type RecorderTools = Pick<App, 'log' | 'market'> & {
  clock: Clock;
  source: Pick<MarketSource, 'clock' | 'delayMinutes' | 'everyMs' | 'health' | 'replay'>;
};

/**
 * Records a row for each stock and minute of the market's clock in which something of the stock changed, and writes
 * each minute when it ends. A minute in which the source was silent, or that was not seen from its beginning, has no
 * rows: it is a gap.
 */
export class SessionRecorder {
  readonly name = 'sessions';
  private readonly log: Log;
  private readonly failure: FirstFailure;
  private readonly readSession: ReturnType<typeof createMarketSession>;
  private readonly rows = new WholeRows();
  private readonly stocks = new Map<string, Following>();
  private writer = new SessionWriter(false);
  private waiting: Uint8Array[] = [];
  private day = NO_DAY;
  private minute = -1;
  private ended: EndedMinute | null = null;
  private changes = 0;
  private written = 0;

  /** @param folder of the source, in `files` */
  constructor(
    private readonly app: RecorderTools,
    private readonly files: DayFiles,
    private readonly folder: string,
  ) {
    this.log = app.log.child('sessions');
    this.failure = new FirstFailure(this.log, NOT_SAVED);
    this.readSession = createMarketSession(app.source.clock);
  }

  /** Increases with every stored minute. */
  version(): number {
    return this.changes;
  }

  figures() {
    return { date: this.day.date, stocks: this.stocks.size, bytes: this.day.end, written: this.written };
  }

  applied(codes: readonly string[]): void {
    this.follow();
    for (const code of codes) this.take(code);
  }

  removed(codes: readonly string[]): void {
    for (const code of codes) this.stocks.delete(code);
  }

  beforeFlush(): void {}

  /** What was not traded is a gap; a jump back drops the minutes from there on. */
  jumped(): void {
    this.stocks.clear();
    this.begin(this.readSession().date, this.nowMinute() + 1);
  }

  onTick(changes: ChangeSet | null): void {
    this.follow();
    for (const code in changes?.upsert) {
      const patch = changes?.upsert[code];
      if (patch && (patch.news !== undefined || patch.sensitiveAnnouncements !== undefined))
        this.take(code, true);
    }
  }

  newsChanged(codes: readonly string[]): void {
    for (const code of codes) this.take(code, true);
  }

  /** Writes the finished minutes so that a power cut loses none. */
  save(): void {
    this.finish();
    this.write(true);
  }

  private nowMinute(): number {
    const { now, date } = this.readSession();
    return Math.floor((now - fromSydney(date, 0, 0)) / MINUTE_MS);
  }

  private follow(): void {
    const { now, date } = this.readSession();
    if (date !== this.day.date) {
      this.endMinute();
      this.save();
      // A session that begins while the server runs is seen from its first minute.
      const minute = Math.floor((now - fromSydney(date, 0, 0)) / MINUTE_MS);
      const isSeen = this.day !== NO_DAY && minute <= (sessionHours(date)?.from ?? minute);
      this.begin(date, isSeen ? minute : minute + 1);
    }
    const minute = Math.floor((now - this.day.midnight) / MINUTE_MS);
    if (minute === this.minute) return;
    if (minute < this.minute) this.begin(date, minute + 1);
    else this.endMinute();
    this.minute = minute;
  }

  private begin(date: string, seenFrom: number): void {
    this.finish();
    this.writer = new SessionWriter(false);
    this.waiting = [];
    this.stocks.clear();
    this.minute = seenFrom - 1;
    this.day = {
      date,
      number: dayOf(date),
      midnight: fromSydney(date, 0, 0),
      newsSince: newsSince(date),
      hours: sessionHours(date, this.app.source.delayMinutes()),
      end: 0,
      seenFrom,
    };
    this.day.end = this.keptUntil(seenFrom - 1);
    for (const code of this.app.market.all().keys()) this.take(code);
  }

  /** Where to continue a file of the same session. Minutes from `minute` on are dropped. */
  private keptUntil(minute: number): number {
    const { date, hours } = this.day;
    const file = this.files.read(this.folder, date);
    if (!file) return 0;
    if (hours && minute >= hours.until) return file.length;
    let end = 0;
    if (!isWholeFile(file, file.length)) {
      const { bodies } = unframed(file);
      const { parts } = readParts(bodies);
      for (const [index, part] of parts.entries()) {
        const until = coverageOf([part]).covered.at(-1)?.until ?? 0;
        if (until > minute) break;
        end += framed(bodies[index] ?? new Uint8Array()).length;
      }
    }
    if (end === file.length) return end;
    this.changes += 1;
    if (end === 0) this.files.remove(this.folder, date);
    else this.files.write(this.folder, date, end, new Uint8Array());
    return end;
  }

  private take(code: string, isNews = false): void {
    const stock = this.app.market.get(code);
    if (!stock) return;
    const { day, minute } = this;
    const known = this.stocks.get(code);
    const values = valuesOf(stock);
    // Announcements are counted only if they change, because prices change far more often.
    const news = known && !isNews ? known.values : newsOf(stock, day.newsSince);
    values.news = Math.max(news.news, known?.values.news ?? 0);
    values.sensitive = Math.max(news.sensitive, known?.values.sensitive ?? 0);
    const quote = quotedOn(day.number, stock);
    const following = known ?? { quote: null, bar: null, values, isChanged: true };
    if (!known) this.stocks.set(code, following);
    const trade = known && quote && minute >= 0 ? tradeOf(known.quote, quote, minute, minute) : null;
    if (trade) following.bar = withTrade(following.bar ?? undefined, trade);
    if (!known) following.bar = barSoFar(stock, quote, minute);
    following.isChanged ||=
      trade !== null || ROW_MEMBERS.some((name) => !isSame(values[name], following.values[name]));
    following.quote = quote;
    following.values = values;
  }

  /** Whether prices arrived shortly before now. */
  private isSourceSeen(): boolean {
    const { source, clock } = this.app;
    const { healthy, lastSuccess } = source.health();
    if (source.replay) return healthy;
    const silence = Math.max(SILENT_MS, (source.everyMs ?? 0) * SILENT_INTERVALS);
    return healthy && lastSuccess !== null && clock.now() - lastSuccess <= silence;
  }

  private endMinute(): void {
    const { day, minute } = this;
    const { hours } = day;
    const isInHours = hours !== null && minute >= hours.from && minute < hours.until;
    if (!isInHours || minute < day.seenFrom || !this.isSourceSeen()) {
      this.passUnrecorded(minute + 1);
      return;
    }
    this.finish();
    const rows: EndedRow[] = [];
    for (const [code, following] of this.stocks) {
      const { bar, values, isChanged } = following;
      if (isChanged) rows.push({ code, bar, values });
      following.isChanged = false;
      following.bar = null;
    }
    const ended = { minute, hours, rows };
    this.ended = ended;
    this.encode(ROWS_A_TURN);
    if (this.ended === ended) void this.encodeInTurns(ended);
  }

  /** Carries what changed in a minute without rows into the next one. */
  private passUnrecorded(next: number): void {
    for (const [code, following] of this.stocks) {
      const stock = this.app.market.get(code);
      following.bar = following.isChanged && stock ? barSoFar(stock, following.quote, next) : null;
    }
  }

  /** Writes the rows of the last minute that are left. */
  private finish(): void {
    this.encode(Number.POSITIVE_INFINITY);
  }

  private async encodeInTurns(ended: EndedMinute): Promise<void> {
    while (this.ended === ended) {
      await nextTurn();
      if (this.ended === ended) this.encode(ROWS_A_TURN);
    }
  }

  private encode(limit: number): void {
    const { ended } = this;
    if (!ended) return;
    const { minute, hours, rows } = ended;
    for (const { code, ...row } of rows.splice(0, limit)) {
      const stock = this.app.market.get(code);
      if (stock) this.addRow(minute, factsOf(stock, this.day.midnight), row);
    }
    if (rows.length > 0) return;
    this.ended = null;
    this.waiting.push(framed(this.writer.part({ hours, covered: [{ from: minute, until: minute + 1 }] })));
    this.changes += 1;
    this.write(minute % SYNC_MINUTES === 0);
  }

  private addRow(
    minute: number,
    facts: StockFacts,
    { bar, values }: Pick<Following, 'bar' | 'values'>,
  ): void {
    const { rows } = this;
    rows.rows = 1;
    rows.minutes[0] = minute;
    rows.traded[0] = bar ? 1 : 0;
    for (const name of SESSION_COLUMNS) {
      const price = PRICE_OF[name];
      const value = price ? bar?.[price] : values[name as keyof MinuteValues];
      rows.column(name)[0] = wholeOf(orNaN(value), COLUMN_SCALE[name]);
    }
    this.writer.add(facts, rows);
  }

  private write(isSynced: boolean): void {
    if (this.waiting.length === 0) return;
    const bytes = Buffer.concat(this.waiting);
    try {
      this.files.write(this.folder, this.day.date, this.day.end, bytes, isSynced);
      this.day.end += bytes.length;
      this.written += bytes.length;
      this.waiting = [];
      this.failure.ended();
    } catch (error) {
      this.failure.failed(error);
      if (this.waiting.length > MAX_WAITING) this.loseWaiting();
    }
  }

  private loseWaiting(): void {
    this.log.error(LOST, { date: this.day.date, minutes: this.waiting.length });
    this.waiting = [];
    this.writer = new SessionWriter(false);
    for (const following of this.stocks.values()) following.isChanged = true;
  }
}
