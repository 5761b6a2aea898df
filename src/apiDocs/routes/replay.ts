import type { RouteDescriptions } from '../description.ts';

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
export const REPLAY: RouteDescriptions = {
  'GET /api/replay/': {
    tag: 'Replay',
    summary: 'How the playing of the recording stands',
    description:
      'Times are epoch milliseconds on the clock of the market. The stream tells the same in `meta.replay`.',
    refusals: REFUSALS,
    example: {},
  },
  'POST /api/replay/pause': {
    tag: 'Replay',
    summary: 'Pause the recorded market, or let it go on',
    description: WHO,
    refusals: CONTROL_REFUSALS,
    example: { body: { paused: true } },
  },
  'POST /api/replay/speed': {
    tag: 'Replay',
    summary: 'Choose how fast the recorded market runs, 1 to 60',
    description: WHO,
    refusals: CONTROL_REFUSALS,
    example: { body: { speed: 10 } },
  },
  'POST /api/replay/jump': {
    tag: 'Replay',
    summary: 'Take the recorded market to another moment',
    description: `${WHO} All streams are sent a snapshot of that moment at once; no alert fires for the way there.`,
    refusals: { ...CONTROL_REFUSALS, 503: 'The recording can not be read at that moment.' },
    example: { body: { time: Date.UTC(2026, 0, 18, 23, 7) } },
  },
};
