import type { App, Part } from '#platform/app.ts';

/** Runs the chosen source: from `start` to `stop` it gives the sink what it learns. */
export function createFeed({ market, source }: App) {
  return {
    name: 'source',
    start: () => source.start(market),
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
