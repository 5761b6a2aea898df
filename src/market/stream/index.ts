import type { Delta, Snapshot } from '../rules/stream.ts';
import type { ChangeSet } from '../types.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { MARKET_STREAM } from './contract.ts';
import { StreamHub, type StreamHubNeeds } from './hub.ts';

/** Where the stream takes the events of the economic calendar from. */
type CalendarFeed = {
  /** What clients were told so far. */
  snapshot(): Snapshot['fx'];
  /** What they are to be told with this tick; null for nothing. */
  takeChanges(): Delta['fx'] | null;
};

type MarketStreamNeeds = Pick<StreamHubNeeds, 'meta' | 'tap' | 'elsewhere'> & { calendar: CalendarFeed };

/** Public: a visitor sees live prices on the Calls page. */
const routesOf = (hub: StreamHub, { keepOpen }: App) =>
  serve(MARKET_STREAM, {
    'GET /api/data/stream': ({ request }) => {
      const response = hub.open(request);
      // The connection of a refusal is given up as any other.
      if (response.ok && response.body) keepOpen(request);
      return response;
    },
  });

/** The market's stream to browsers: every tick once, for everybody. `stop` ends all streams. */
export function createMarketStream(app: App, { calendar, ...needs }: MarketStreamNeeds) {
  const service = new StreamHub(
    { ...app, log: app.log.child('stream') },
    { ...app, ...needs, fx: calendar.snapshot, streams: app.config.streams },
  );
  return {
    name: 'stream',
    service,
    routes: () => routesOf(service, app),
    onChanges: (changes: ChangeSet | null) => service.publish(changes, calendar.takeChanges()),
    onJump: service.jump,
    stop: service.close,
    inspect: service.inspect,
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    stream: StreamHub;
  }
}
