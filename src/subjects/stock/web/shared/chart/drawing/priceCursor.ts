import { type IPriceLine, type ISeriesApi, LineStyle } from 'lightweight-charts';
import type { ChartColours } from './colours.ts';
import { layer } from './surface.ts';

/** A line at a price that the reader points at, which stays there until it is taken away. */
export class PriceCursorLine {
  readonly #candles: ISeriesApi<'Candlestick'>;
  readonly #moved: (top: number | null) => void;
  #colours: ChartColours;
  #line: IPriceLine | null = null;
  #told: number | null = null;

  /** @param moved is told where it is drawn, px from the top, whenever that changes; null where it is not */
  constructor(
    candles: ISeriesApi<'Candlestick'>,
    colours: ChartColours,
    moved: (top: number | null) => void,
  ) {
    this.#candles = candles;
    this.#colours = colours;
    this.#moved = moved;
    const views = [layer('normal', () => this.#tell())];
    candles.attachPrimitive({ paneViews: () => views });
  }

  /** Puts the line at a price, AUD; null takes it away. */
  put(price: number | null): void {
    if (price === null) {
      if (this.#line) this.#candles.removePriceLine(this.#line);
      this.#line = null;
    } else if (this.#line) this.#line.applyOptions({ price });
    else {
      this.#line = this.#candles.createPriceLine({
        ...this.#looks(),
        price,
        title: '',
        lineWidth: 1,
        lineStyle: LineStyle.Solid,
        axisLabelVisible: true,
      });
    }
    this.#tell();
  }

  price(): number | null {
    return this.#line?.options().price ?? null;
  }

  colour(colours: ChartColours): void {
    this.#colours = colours;
    this.#line?.applyOptions(this.#looks());
  }

  #looks() {
    const { text, ground } = this.#colours;
    return { color: text, axisLabelColor: text, axisLabelTextColor: ground };
  }

  #tell(): void {
    const top = this.#line === null ? null : this.#candles.priceToCoordinate(this.#line.options().price);
    if (top === this.#told) return;
    this.#told = top;
    this.#moved(top);
  }
}
