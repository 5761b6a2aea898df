import type { Delta, Snapshot } from '../rules/stream.ts';
import type { ChangeSet } from '../types.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { MARKET_STREAM } from './contract.ts';
import { StreamHub, type StreamHubNeeds } from './hub.ts';

type CalendarFeed = {
  snapshot(): Snapshot['fx'];
  takeChanges(): Delta['fx'] | null;
};

const routesOf = (hub: StreamHub, { keepOpen }: App) =>
  serve(MARKET_STREAM, {
    'GET /api/data/stream': ({ request }) => {
      const response = hub.open(request);
      // Only streams disable the idle timeout, refusals do not.
      if (response.ok && response.body) keepOpen(request);
      return response;
    },
  });

export function createMarketStream(
  app: App,
  { calendar, ...needs }: Pick<StreamHubNeeds, 'meta' | 'tap' | 'elsewhere'> & { calendar: CalendarFeed },
) {
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
