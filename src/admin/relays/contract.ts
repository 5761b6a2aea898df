import type { RouteContracts } from '#texts/routeContract.ts';
import { relaysAnswer } from './answers/relays.ts';

/** The message engine and the relays behind it. */
export const RELAYS = {
  'GET /api/admin/relays': {
    access: 4,
    tag: 'Hosting',
    summary: 'How the message engine stands, and the relays that read from it',
    description:
      'Of each relay what it told last, which it does every other second. `lagFrames` and `lagMs` say how far it is behind ' +
      'what was published, by this server’s own stopwatch. `isSet` is false where the settings name no message engine.',
    answer: relaysAnswer,
    example: {},
  },
} as const satisfies RouteContracts;
