import { downloadAnswer, sent, ticketQuery } from '#lib/contract/requests.ts';
import { done, file, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { recordingsAnswer } from './answers/recordings.ts';

const params = object({ name: sent(text, { maxLength: 100 }) });
const named = object({ success: done, name: text });

const NO_RECORDING = 'The recording no longer exists.';
const OFTEN = 'Too many changes to recordings in one minute.';
const EXAMPLE = { name: 'Monday open' };

/** Recordings of the market: making them, downloading them, and replaying one for all users. */
export const RECORDINGS = {
  'GET /api/admin/recordings': {
    access: 4,
    tag: 'Hosting',
    summary: 'List recordings',
    description: 'Times are on the recorded market’s clock. `suggestion` is an unused name.',
    answer: recordingsAnswer,
    example: {},
  },
  'POST /api/admin/recordings': {
    access: 4,
    tag: 'Hosting',
    summary: 'Start a recording',
    description: 'It stops at the end of the session, when you stop it, or when the disk is almost full.',
    body: object({
      name: sent(text, { default: '', maxLength: 200, error: 'Enter a name for the recording.' }),
    }),
    answer: named,
    refusals: {
      400: 'The name is not a valid file name.',
      409: 'A recording is running, the name is taken, or the disk is almost full.',
      429: OFTEN,
    },
    example: { body: EXAMPLE },
  },
  'POST /api/admin/recordings/stop': {
    access: 4,
    tag: 'Hosting',
    summary: 'Stop the recording',
    description: 'Returns after the file is complete.',
    answer: named,
    refusals: { 409: 'No recording is running.', 429: OFTEN },
    example: {},
  },
  'DELETE /api/admin/recordings/:name': {
    access: 4,
    tag: 'Hosting',
    summary: 'Delete a recording',
    params,
    answer: named,
    refusals: { 404: NO_RECORDING, 409: 'The recording is running or being replayed.', 429: OFTEN },
    example: { params: EXAMPLE },
  },
  'POST /api/admin/recordings/:name/download': {
    access: 4,
    tag: 'Hosting',
    summary: 'Create a download link for a recording',
    description: 'The link works once, for one minute, without a token.',
    params,
    answer: downloadAnswer,
    refusals: { 404: NO_RECORDING, 409: 'The recording is a symbolic link.', 429: OFTEN },
    example: { params: EXAMPLE },
  },
  'POST /api/admin/recordings/:name/play': {
    access: 4,
    tag: 'Hosting',
    summary: 'Replay a recording for all users',
    description:
      'The server restarts and replays it until you end the replay. `GET /healthz` returns a new `pid` after the restart.',
    params,
    answer: named,
    refusals: {
      400: 'No supervisor would restart the server.',
      404: NO_RECORDING,
      409: 'The recording is running or damaged, the settings already name a recording, or an update is running.',
      429: OFTEN,
    },
    example: { params: EXAMPLE },
  },
  'POST /api/admin/recordings/end-replay': {
    access: 4,
    tag: 'Hosting',
    summary: 'End the replay',
    description: 'The server restarts with the configured source.',
    answer: named,
    refusals: {
      400: 'No supervisor would restart the server.',
      409: 'No replay was started in the Admin Panel, or an update is running.',
      429: OFTEN,
    },
    example: {},
  },
  'GET /api/recording-download': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Download a recording with a one-time link',
    description: 'Returns a file for `BELLBIRD_REPLAY_FILE`. The ticket replaces the token.',
    query: ticketQuery,
    answer: file,
    answerType: 'application/octet-stream',
    refusals: {
      404: 'The ticket is unknown, used or older than one minute.',
      409: 'The recording is a symbolic link.',
    },
    example: { query: { ticket: 'the-ticket-of-the-address' } },
  },
} as const satisfies RouteContracts;
