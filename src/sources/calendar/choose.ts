import type { App } from '#platform/app.ts';
import type { FormEdges } from '../answerForm.ts';
import { FxStreet } from './fxstreet/index.ts';
import { createSimulatedCalendar } from './simulator.ts';
import type { CalendarSource } from '#market/sources/calendar.ts';

/**
 * Makes the configured economic calendar; null if it is off. The simulated calendar uses the market's clock.
 * @param edges absent if nothing is stored over a restart
 */
export function chooseCalendar(
  app: Pick<App, 'clock' | 'config' | 'http' | 'log' | 'source'>,
  edges: FormEdges = {},
): CalendarSource | null {
  const { calendar, simulator } = app.config;
  switch (calendar.source) {
    case 'simulator':
      return createSimulatedCalendar({
        seed: simulator.seed,
        clock: app.source.clock,
        wall: app.clock,
        log: app.log.child('calendar'),
      });
    case 'fxstreet':
      return new FxStreet({
        ...edges,
        url: calendar.fxstreetUrl,
        forexFactoryUrl: calendar.forexFactoryUrl,
        wall: app.clock,
        log: app.log.child('fxstreet'),
        http: app.http,
      });
    case 'recording':
      return app.source.calendar ?? null;
    case 'off':
      return null;
  }
}
