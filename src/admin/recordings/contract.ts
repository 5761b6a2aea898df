import { downloadAnswer, sent, ticketQuery } from '#lib/contract/requests.ts';
import { done, file, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { recordingsAnswer } from './answers/recordings.ts';

const params = object({ name: sent(text, { maxLength: 100 }) });
const named = object({ success: done, name: text });

const NO_RECORDING = 'The recording is not there any more.';
const OFTEN = 'Too many changes of the recordings within a minute.';
const EXAMPLE = { name: 'Monday open' };

/** Recordings of the market: making them, downloading them, and playing one to everybody. */
export const RECORDINGS = {
  'GET /api/admin/recordings': {
    access: 4,
    tag: 'Hosting',
    summary: 'List the recordings, and how the one under way stands',
    description: 'Times are of the recorded market. `suggestion` is a name that is free.',
    answer: recordingsAnswer,
    example: {},
  },
  'POST /api/admin/recordings': {
    access: 4,
    tag: 'Hosting',
    summary: 'Begin to record the market',
    description: 'It ends when it is stopped, with the session, or when the disk is almost full.',
    body: object({ name: sent(text, { default: '', maxLength: 200, error: 'Give the recording a name.' }) }),
    answer: named,
    refusals: {
      400: 'The name can not be one of a file.',
      409: 'A recording is under way, the name is taken, or the disk is almost full.',
      429: OFTEN,
    },
    example: { body: EXAMPLE },
  },
  'POST /api/admin/recordings/stop': {
    access: 4,
    tag: 'Hosting',
    summary: 'End the recording under way',
    description: 'The answer comes when all of it is on the disk.',
    answer: named,
    refusals: { 409: 'No recording is in progress.', 429: OFTEN },
    example: {},
  },
  'DELETE /api/admin/recordings/:name': {
    access: 4,
    tag: 'Hosting',
    summary: 'Delete a recording',
    params,
    answer: named,
    refusals: { 404: NO_RECORDING, 409: 'It is under way, or being played.', 429: OFTEN },
    example: { params: EXAMPLE },
  },
  'POST /api/admin/recordings/:name/download': {
    access: 4,
    tag: 'Hosting',
    summary: 'Get an address to download a recording from',
    description: 'The address holds for a minute, once, and needs no token.',
    params,
    answer: downloadAnswer,
    refusals: { 404: NO_RECORDING, 409: 'It is a symbolic link.', 429: OFTEN },
    example: { params: EXAMPLE },
  },
  'POST /api/admin/recordings/:name/play': {
    access: 4,
    tag: 'Hosting',
    summary: 'Play a recording to everybody',
    description:
      'The server restarts and plays it in the place of its source, from the beginning, also after further restarts, until ' +
      'that is ended. `GET /healthz` answers with another `pid` once it is back.',
    params,
    answer: named,
    refusals: {
      400: 'Nobody would start the server again.',
      404: NO_RECORDING,
      409: 'It is under way or damaged, the settings name a recording themselves, or an update is under way or on trial.',
      429: OFTEN,
    },
    example: { params: EXAMPLE },
  },
  'POST /api/admin/recordings/end-replay': {
    access: 4,
    tag: 'Hosting',
    summary: 'End the replay that was begun in the panel',
    description: 'The server restarts with the source of its settings.',
    answer: named,
    refusals: {
      400: 'Nobody would start the server again.',
      409: 'No recording is played from here, or an update is under way or on trial.',
      429: OFTEN,
    },
    example: {},
  },
  'GET /api/recording-download': {
    access: 'anyone',
    tag: 'Hosting',
    summary: 'Download a recording by its one-time address',
    description: 'A file for `BELLBIRD_REPLAY_FILE`. The ticket stands in for the token.',
    query: ticketQuery,
    answer: file,
    answerType: 'application/octet-stream',
    refusals: {
      404: 'The ticket was used, is older than a minute, or was never given.',
      409: 'The recording is a symbolic link.',
    },
    example: { query: { ticket: 'the-ticket-of-the-address' } },
  },
} as const satisfies RouteContracts;
