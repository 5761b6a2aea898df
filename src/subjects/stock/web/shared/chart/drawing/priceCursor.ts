import type { IPriceLine, ISeriesApi } from 'lightweight-charts';
import { LineStyle } from 'lightweight-charts';
import type { ChartColours } from './colours.ts';
import { layer } from './surface.ts';

export type PriceCursorLine = {
  /** Puts the line at a price, AUD; null takes it away. */
  put(price: number | null): void;
  price(): number | null;
  colour(colours: ChartColours): void;
};

/**
 * A line at a price that the reader points at, which stays there until it is taken away.
 * @param moved is told where it is drawn, px from the top, whenever that changes; null where it is not
 */
export function createPriceCursor(
  candles: ISeriesApi<'Candlestick'>,
  colours: ChartColours,
  moved: (top: number | null) => void,
): PriceCursorLine {
  let line: IPriceLine | null = null;
  let told: number | null = null;
  const tell = (): void => {
    const top = line === null ? null : candles.priceToCoordinate(line.options().price);
    if (top === told) return;
    told = top;
    moved(top);
  };
  const views = [layer('normal', tell)];
  candles.attachPrimitive({ paneViews: () => views });
  const looks = () => ({
    color: colours.text,
    axisLabelColor: colours.text,
    axisLabelTextColor: colours.ground,
  });
  return {
    put(price) {
      if (price === null) {
        if (line) candles.removePriceLine(line);
        line = null;
      } else if (line) line.applyOptions({ price });
      else {
        line = candles.createPriceLine({
          ...looks(),
          price,
          title: '',
          lineWidth: 1,
          lineStyle: LineStyle.Solid,
          axisLabelVisible: true,
        });
      }
      tell();
    },
    price: () => line?.options().price ?? null,
    colour(next) {
      colours = next;
      line?.applyOptions(looks());
    },
  };
}
