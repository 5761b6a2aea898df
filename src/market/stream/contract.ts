import type { RouteContracts } from '#texts/routeContract.ts';

export const MARKET_STREAM = {
  'GET /api/data/stream': {
    access: 'anyone',
    tag: 'Market',
    summary: 'Follow the market live',
    description:
      'Server-sent events: `snapshot` with all data, `delta_update` with JSON Merge Patches by code, and `ping`. Send `Last-Event-ID` to resume.',
    answer: null,
    answerType: 'text/event-stream',
    refusals: {
      429: 'Too many open streams for this address or account, or too many opened in one minute.',
      503: 'The server has no free stream, or is stopping.',
    },
    example: {},
  },
} as const satisfies RouteContracts;
