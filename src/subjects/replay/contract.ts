import { boolean, number } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

/** How the playing of a recording stands; times are epoch ms on the market's clock. */
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
  404: 'The server plays no recording.',
};
const CONTROL_REFUSALS = {
  ...REFUSALS,
  401: 'Without a session, unless the server is in test mode.',
  403: 'Not an administrator, unless the server is in test mode.',
};
const WHO = 'Administrators control the market that everybody sees; in test mode anybody does.';

/** The market that is played from a recording. */
export const REPLAY = {
  'GET /api/replay': {
    access: 'anyone',
    tag: 'Replay',
    summary: 'How the playing of the recording stands',
    description:
      'Times are epoch milliseconds on the clock of the market. The stream tells the same in `meta.replay`.',
    answer,
    refusals: REFUSALS,
    example: {},
  },
  'POST /api/replay/pause': {
    access: 'visitor',
    tag: 'Replay',
    summary: 'Pause the recorded market, or let it go on',
    description: WHO,
    body: object({
      paused: sent(boolean, { error: 'Say with true or false whether it is to pause.' }),
    }),
    answer,
    refusals: CONTROL_REFUSALS,
    example: { body: { paused: true } },
  },
  'POST /api/replay/speed': {
    access: 'visitor',
    tag: 'Replay',
    summary: 'Choose how fast the recorded market runs, 1 to 60',
    description: WHO,
    body: object({ speed: sent(number, { error: 'Choose a speed from 1 to 60.' }) }),
    answer,
    refusals: CONTROL_REFUSALS,
    example: { body: { speed: 10 } },
  },
  'POST /api/replay/jump': {
    access: 'visitor',
    tag: 'Replay',
    summary: 'Take the recorded market to another moment',
    description: `${WHO} All streams are sent a snapshot of that moment at once; no alert fires for the way there.`,
    body: object({
      time: sent(number, { error: 'Give the moment in epoch milliseconds of the market’s clock.' }),
    }),
    answer,
    refusals: { ...CONTROL_REFUSALS, 503: 'The recording can not be read at that moment.' },
    example: { body: { time: Date.UTC(2026, 0, 18, 23, 7) } },
  },
} as const satisfies RouteContracts;
