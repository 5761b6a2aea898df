import type { App, Part } from '#platform/app.ts';
import type { MarketSink } from './source.ts';

/** Runs the chosen source: from `start` to `stop` it gives the sink what it learns. */
export function createFeed({ source }: App, { sink }: { sink: MarketSink }) {
  return {
    name: 'source',
    start: () => source.start(sink),
    stop: () => source.stop(),
    inspect: () => ({
      label: 'Market source',
      description: 'Where prices come from, how it answers and how old its quotes are.',
      summary: {
        name: source.name,
        label: source.label(),
        delayMinutes: source.delayMinutes(),
        ...source.health(),
      },
      data: () => ({ health: source.health(), marketTime: source.clock.now(), details: source.details?.() }),
    }),
  } satisfies Part;
}
