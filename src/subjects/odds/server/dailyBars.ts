import { Database } from 'bun:sqlite';
import { type BarRow, rowOf } from '#market/bars/rows.ts';
import { createStoredDays } from '#market/bars/storedDays.ts';
import { dayOf } from '#market/rules/localTime.ts';
import type { Adjustment } from '#market/rules/splitAdjustment.ts';
import { Exchange, simulatedHistory } from '#sources/quotes/simulator/exchange.ts';
import type { DailyBars } from './engine/indicatorDays.ts';
import type { DailyPlace } from './job.ts';

function simulatedDays(seed: number, dates: readonly string[]): DailyBars {
  const history = simulatedHistory(() => exchange);
  const exchange = new Exchange({ seed });
  return (code, before) => {
    const days: BarRow[] = [];
    history.eachDay(code, dates.at(-1) ?? '', before + dates.length, (bar) => {
      days.push(rowOf(bar, dayOf(bar.date)));
    });
    return days;
  };
}

/** The daily bars of a run. The database is opened when a condition first needs them. */
export class OpenedDays {
  private client: Database | null = null;
  private days: DailyBars | null = null;

  /** @param dates the sessions of the run, oldest first */
  constructor(
    private readonly place: DailyPlace,
    private readonly adjustments: (code: string) => readonly Adjustment[],
    private readonly dates: readonly string[],
  ) {}

  readonly of: DailyBars = (code, before) => {
    this.days ??= this.open();
    return this.days(code, before);
  };

  close(): void {
    this.client?.close();
    this.client = null;
    this.days = null;
  }

  private open(): DailyBars {
    const { place } = this;
    if (place.kind === 'simulated') return simulatedDays(place.seed, this.dates);
    this.client = new Database(place.path, { readonly: true });
    return createStoredDays(this.client, place.source, this.adjustments);
  }
}
