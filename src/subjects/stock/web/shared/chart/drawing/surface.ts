import type { IPrimitivePaneRenderer, IPrimitivePaneView } from 'lightweight-charts';

/** A place to draw on, in CSS pixels. */
export type Scope = { context: CanvasRenderingContext2D; mediaSize: { width: number; height: number } };

/** A layer of the chart, in CSS pixels. @param zOrder among the library's own: below all of them, or with the bars */
export function layer(zOrder: 'bottom' | 'normal', paint: (scope: Scope) => void): IPrimitivePaneView {
  const renderer: IPrimitivePaneRenderer = {
    draw: (target) => target.useMediaCoordinateSpace((scope) => paint(scope)),
  };
  return { zOrder: () => zOrder, renderer: () => renderer };
}
