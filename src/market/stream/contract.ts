import type { RouteContracts } from '#texts/routeContract.ts';

export const MARKET_STREAM = {
  'GET /api/data/stream': {
    access: 'anyone',
    tag: 'Market',
    summary: 'Follow the market live',
    description:
      'Server-sent events: `snapshot` with everything, then `delta_update` with JSON Merge Patches by code, and `ping`. ' +
      'Every event has an ID; with `Last-Event-ID` the stream goes on where it broke off, where that is still known.',
    answer: null,
    answerType: 'text/event-stream',
    refusals: {
      429: 'As many streams are open as an address or account may have, or too many were opened in a minute.',
      503: 'The server has as many streams open as it serves, or is stopping.',
    },
    example: {},
  },
} as const satisfies RouteContracts;
