import type { Core } from '#src/part.ts';
import type { FormEdges } from '../answerForm.ts';
import { FxStreet } from './fxstreet/index.ts';
import { createSimulatedCalendar } from './simulator/index.ts';
import type { CalendarSource } from './source.ts';

/**
 * Makes the source of the economic calendar that the configuration names; null when it is switched off. The simulated
 * calendar keeps the market's time, which is that of the wall clock unless the market is simulated too.
 *
 * @param edges absent where nothing is kept over a restart
 */
export function chooseCalendar(core: Omit<Core, 'db'>, edges: FormEdges = {}): CalendarSource | null {
  const { calendar, simulator } = core.config;
  switch (calendar.source) {
    case 'simulator':
      return createSimulatedCalendar({
        seed: simulator.seed,
        clock: core.source.clock,
        wall: core.clock,
        log: core.log.child('calendar'),
      });
    case 'fxstreet':
      return new FxStreet({
        ...edges,
        url: calendar.fxstreetUrl,
        forexFactoryUrl: calendar.forexFactoryUrl,
        wall: core.clock,
        log: core.log.child('fxstreet'),
        http: core.http,
      });
    case 'recording':
      return core.source.calendar ?? null;
    case 'off':
      return null;
  }
}
