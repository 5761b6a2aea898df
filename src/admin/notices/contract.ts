import { boolean } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { noticesAnswer, wantedAnswer } from './answers/notices.ts';

/** What is wrong with the host, and who is told of it. */
export const NOTICES = {
  'GET /api/admin/notices': {
    access: 4,
    tag: 'Hosting',
    summary: 'What is wrong with this server now, since when, and what to do',
    description:
      'A source that is down in its hours, a bot, web push, a model or relays that do not work, a backup that failed or is ' +
      'missed, a disk that fills, a certificate or cookie that ends, an update that waits, a message engine that is away. Each ' +
      'is here once it lasted, and until it was over for a while. `checks` has all that is looked at. `isWanted` says whether ' +
      'the caller is told by the chats and devices that `isReachable` is about.',
    answer: noticesAnswer,
    example: {},
  },
  'PUT /api/admin/notices/wanted': {
    access: 4,
    tag: 'Hosting',
    summary: 'Say whether you want to be told by message of what is wrong with this server',
    description: 'Every administrator is, unless they said otherwise. It is for the caller alone.',
    body: object({ isWanted: sent(boolean, { error: 'Say whether you want to be told.' }) }),
    answer: wantedAnswer,
    refusals: { 429: 'Too many changes within a minute.' },
    example: { body: { isWanted: false } },
  },
} as const satisfies RouteContracts;
