import type { SystemClock } from '#lib/clock.ts';
import { HOUR_MS } from '#lib/units.ts';
import { OVERNIGHT_IDS, type OvernightFigure, type OvernightId } from './rules/overnight.ts';
import type { MarketSource } from './sources/quotes.ts';

/** A bridge that stopped must not leave yesterday's figures. */
const KEPT_MS = 18 * HOUR_MS;

type Sent = { figure: OvernightFigure; receivedAt: number };

/** Figures of other markets: those that a bridge sent, otherwise those of the price source. */
export class Overnight {
  private readonly sent = new Map<OvernightId, Sent>();

  constructor(
    private readonly source: MarketSource,
    private readonly clock: SystemClock,
  ) {}

  receive(figures: readonly OvernightFigure[]): void {
    const receivedAt = this.clock.monotonic();
    for (const figure of figures) this.sent.set(figure.id, { figure, receivedAt });
  }

  /** Known figures, most important first. Unknown ones are left out. */
  figures(): OvernightFigure[] {
    const own = this.source.overnight?.() ?? [];
    return OVERNIGHT_IDS.flatMap((id) => this.sentOf(id) ?? own.find((figure) => figure.id === id) ?? []);
  }

  private sentOf(id: OvernightId): OvernightFigure | undefined {
    const known = this.sent.get(id);
    const isOld = known && this.clock.monotonic() - known.receivedAt > KEPT_MS;
    return isOld ? undefined : known?.figure;
  }
}

declare module '#platform/app.ts' {
  interface App {
    overnight: Overnight;
  }
}
