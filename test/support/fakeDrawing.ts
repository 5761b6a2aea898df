import type { DrawingEvents, MakeDrawing } from '../../src/subjects/stock/web/shared/chart/types.ts';

/** A drawing that only remembers what it was told. */
export function fakeDrawing() {
  const told: unknown[] = [];
  let events: DrawingEvents | null = null;
  let drawn = 0;
  const make: MakeDrawing = (_host, given) => {
    events = given;
    drawn += 1;
    return {
      show: ({ bars }) => told.push(['show', bars.close.at(-1)]),
      point: (bar) => told.push(['point', bar]),
      mark: (price) => told.push(['mark', price]),
      zoom: (factor) => told.push(['zoom', factor > 1]),
      stop: () => {
        drawn -= 1;
      },
    };
  };
  return { told, make, load: () => Promise.resolve(make), events: () => events, count: () => drawn };
}
