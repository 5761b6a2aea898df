import { boolean, choice, number } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

/** State of the replay. Times are epoch ms by the market's clock. */
const answer = object({
  from: number,
  until: number,
  isPaused: boolean,
  speed: number,
  hasEnded: boolean,
  isCutOff: boolean,
  jumps: number,
  isOpenToAll: boolean,
  marketTime: number,
});

const REFUSALS = {
  404: 'The server does not replay a recording.',
};
const CONTROL_REFUSALS = {
  ...REFUSALS,
  401: 'Not logged in, and the server is not in test mode.',
  403: 'Not an administrator, and the server is not in test mode.',
};
const WHO = 'Restricted to administrators, except in test mode.';

export const REPLAY = {
  'GET /api/replay': {
    access: 'anyone',
    tag: 'Replay',
    summary: 'Read the status of the replay',
    description: 'Times are in epoch ms on the market’s clock. The stream sends the same as `meta.replay`.',
    answer,
    refusals: REFUSALS,
    example: {},
  },
  'POST /api/replay/pause': {
    access: 'visitor',
    tag: 'Replay',
    summary: 'Pause or resume the replay',
    description: WHO,
    body: object({
      paused: sent(boolean, { error: '`paused` must be true or false.' }),
    }),
    answer,
    refusals: CONTROL_REFUSALS,
    example: { body: { paused: true } },
  },
  'POST /api/replay/speed': {
    access: 'visitor',
    tag: 'Replay',
    summary: 'Set the speed of the replay',
    description: WHO,
    body: object({ speed: sent(number, { error: 'Choose a speed from 1 to 60.' }) }),
    answer,
    refusals: CONTROL_REFUSALS,
    example: { body: { speed: 10 } },
  },
  'POST /api/replay/jump': {
    access: 'visitor',
    tag: 'Replay',
    summary: 'Jump to another time in the replay',
    description: `${WHO} All streams receive a new snapshot, and no alerts fire for the skipped time.`,
    body: object({
      time: sent(number, { error: '`time` must be in epoch milliseconds of the market’s clock.' }),
    }),
    answer,
    refusals: { ...CONTROL_REFUSALS, 503: 'The recording cannot be read at that time.' },
    example: { body: { time: Date.UTC(2026, 0, 18, 23, 7) } },
  },
  'POST /api/simulator/skip': {
    access: 'visitor',
    tag: 'Replay',
    summary: 'Move the simulated market forward',
    description: `${WHO} The market moves to the next 09:45 (pre-open) or 10:02 (open) of its own day.`,
    body: object({
      to: sent(choice(['pre-open', 'open']), { error: '`to` must be "pre-open" or "open".' }),
    }),
    answer: object({ marketTime: number }),
    refusals: {
      ...CONTROL_REFUSALS,
      404: 'The prices are not simulated.',
      409: 'The simulated market follows the hours of the exchange now.',
    },
    example: { body: { to: 'pre-open' } },
  },
} as const satisfies RouteContracts;
