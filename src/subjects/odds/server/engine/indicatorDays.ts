import type { BarRow } from '#market/bars/rows.ts';
import type { IndicatorPlan } from '#market/indicators/plan.ts';
import { createReplay, type Replay } from '#market/indicators/replay.ts';
import { minutesOf } from '#market/bars/rules/buckets.ts';
import { earlierDayCount } from '#market/bars/series.ts';
import { KEPT_DAYS } from '#market/bars/walk.ts';
import type { Place } from '#market/indicators/frame.ts';
import { YEAR } from '#market/indicators/rules/indicatorKey.ts';
import { dayOf, dayOfKey, keyOf, minuteOfKey } from '#market/rules/localTime.ts';
import { emptyStock, type Stock } from '#market/rules/stock.ts';
import { adjustedBar, type Adjustment, factorSince } from '#market/rules/splitAdjustment.ts';
import type { StockSession } from '#market/sessions/rules/sessionDay.ts';
import type { SessionDay } from './session.ts';
import type { SessionSeries } from '#market/sessions/series.ts';

/**
 * Daily bars of a stock, oldest first, in current prices. Keys are day numbers.
 * @param before how many from before the first session are of use
 */
export type DailyBars = (code: string, before: number) => readonly BarRow[];

type Kept = {
  replay: Replay;
  /** The daily bars from the running session on. */
  bars: readonly BarRow[];
  /** The last session, if it has no daily bar. */
  last: BarRow | null;
  /** Converts the prices of the session to current ones. */
  factor: number;
};

/** The computed values of all stocks, carried from session to session, in the prices of the running session. */
export class IndicatorDays {
  private readonly kept = new Map<string, Kept>();
  private readonly usesDays: boolean;
  private readonly usesMinutes: boolean;
  /** Days before the first session that the conditions can need. */
  private readonly before: number;
  /** The values on days that only bars give. */
  private readonly places: readonly Place[];
  private firstDay: number | null = null;
  private knowsFirst = false;
  private current: Kept | null = null;
  private day = 0;
  private session: SessionDay | null = null;
  /** The next row that the minutes were not computed with. */
  private row = 0;
  private volume = 0;

  constructor(
    private readonly plan: IndicatorPlan,
    private readonly dailyBars: DailyBars,
    private readonly adjustments: (code: string) => readonly Adjustment[],
    private readonly values: SessionSeries,
  ) {
    const days = plan.frames.filter(({ key }) => minutesOf(key) === null);
    this.usesDays = days.length > 0;
    this.before = Math.max(KEPT_DAYS, ...days.map(({ key }) => earlierDayCount(key)));
    // The extremes of 52 weeks are recorded.
    this.places = days
      .flatMap(({ outputs }) => outputs.map(({ place }) => place))
      .filter((place) => place.kind !== 'htf' || place.period !== YEAR);
    this.usesMinutes = plan.usesMinutes;
  }

  /** Whether values on days were unknown in the first session, because daily bars begin too late. */
  get lacksDays(): boolean {
    return this.places.length > 0 && this.firstDay !== null && !this.knowsFirst;
  }

  beginSession(session: SessionDay): void {
    this.session = session;
    this.day = dayOf(session.date);
  }

  /** Whether later values need a session's minutes, because no daily bar replaces them. */
  needs(code: string): boolean {
    const kept = this.kept.get(code);
    return this.usesMinutes || !kept?.bars.some(({ key }) => key === this.day);
  }

  begin({ code }: StockSession): void {
    const factor = factorSince(this.adjustments(code), this.session?.date ?? '');
    const before = this.kept.get(code);
    // After a split the values start again from the daily bars, in the new prices.
    const kept = before?.factor === factor ? before : this.fresh(code, factor);
    this.kept.set(code, kept);
    this.current = kept;
    this.row = 0;
    this.volume = 0;
    this.addDays(kept);
  }

  /** Writes the values at the end of a row. */
  write(stock: Stock, row: number): void {
    if (!this.current) return;
    const { replay } = this.current;
    this.addMinutes(row);
    const day = this.usesDays ? this.dayBar(row) : null;
    if (day) replay.show(null, day);
    replay.write(stock);
  }

  /** Call it after a stock’s session. */
  finish(): void {
    const { current } = this;
    if (!current) return;
    const last = this.values.rows - 1;
    this.addMinutes(last);
    const day = this.usesDays ? this.dayBar(last) : null;
    current.last = current.bars[0]?.key === this.day ? null : day;
    if (day) this.noteFirst(current, day);
    this.current = null;
  }

  private fresh(code: string, factor: number): Kept {
    const bars = this.usesDays ? this.dailyBars(code, this.before) : [];
    const replay = createReplay(this.plan, (bucket, first) => this.beganUnseen(bucket, first));
    return {
      replay,
      bars: factor === 1 ? bars : bars.map((bar) => adjustedBar(bar, 1 / factor)),
      last: null,
      factor,
    };
  }

  /** Adds the days before the running session. */
  private addDays(kept: Kept): void {
    const { bars, replay, last } = kept;
    if (last) replay.finishDay(last);
    kept.last = null;
    const next = bars.findIndex(({ key }) => key >= this.day);
    const finished = next === -1 ? bars.length : next;
    for (const bar of bars.slice(0, finished)) replay.finishDay(bar);
    // The past bars of all stocks would need much memory.
    replay.settle();
    kept.bars = bars.slice(finished);
  }

  private noteFirst({ replay }: Kept, day: BarRow): void {
    this.firstDay ??= this.day;
    if (this.knowsFirst || this.day !== this.firstDay) return;
    const stock = emptyStock('');
    replay.show(null, day);
    replay.write(stock);
    this.knowsFirst = this.places.every((place) =>
      place.kind === 'htf'
        ? stock.htf?.[place.period]?.[place.field] != null
        : stock.indicators?.[place.tf]?.[place.key]?.[place.valueKey] != null,
    );
  }

  private addMinutes(row: number): void {
    const { values, current, day } = this;
    if (!this.usesMinutes || !current) return;
    const [opens, highs, lows, lasts] = (['open', 'high', 'low', 'last'] as const).map((name) =>
      values.column(name),
    );
    const volumes = values.of('volume');
    for (; this.row <= row; this.row += 1) {
      const open = opens?.[this.row] ?? Number.NaN;
      const total = volumes[this.row] ?? Number.NaN;
      if (open !== open) continue;
      current.replay.finishMinute({
        key: keyOf(day, values.minutes[this.row] ?? 0),
        open,
        high: highs?.[this.row] ?? open,
        low: lows?.[this.row] ?? open,
        close: lasts?.[this.row] ?? open,
        volume: Math.max(0, total - this.volume),
      });
      if (total === total) this.volume = total;
    }
  }

  /** The day so far; null before its first trade. */
  private dayBar(row: number): BarRow | null {
    const { values, day } = this;
    const open = values.of('open', row + 1)[row] ?? Number.NaN;
    if (open !== open) return null;
    const [high = open, low = open, close = open] = (['high', 'low', 'last'] as const).map(
      (key) => values.of(key, row + 1)[row] ?? open,
    );
    return { key: day, open, high, low, close, volume: values.of('volume')[row] ?? Number.NaN };
  }

  /** Whether a gap hides the beginning of a minute bar. */
  private beganUnseen(bucket: number, first: number): boolean {
    if (dayOfKey(bucket) !== this.day) return false;
    const [from, until] = [minuteOfKey(bucket), minuteOfKey(first)];
    return this.session?.gaps.some((gap) => gap.from < until && gap.until > from) ?? false;
  }
}
