import type { RouteDescriptions } from '../description.ts';

const NO_FILE = 'There is no such log file.';
const LOG_OFTEN = 'Too many downloads and clearings within a minute.';
const NO_RECORDING = 'The recording is not there any more.';
const RECORDINGS_OFTEN = 'Too many changes of the recordings within a minute.';
const TRIAL = 'An update is under way or on trial.';

/** What whoever hosts this does to the server: log files, backups, restart, updates. */
export const HOSTING: RouteDescriptions = {
  'GET /api/admin/logs': { tag: 'Hosting', summary: 'List the log files', example: {} },
  'GET /api/admin/logs/:name/tail': {
    tag: 'Hosting',
    summary: 'Read the end of a log file',
    description: 'To follow it, send `file` and `end` of the last answer as `file` and `after`.',
    refusals: { 404: NO_FILE },
    example: { params: { name: 'bellbird.log' }, query: { lines: '100' } },
  },
  'GET /api/admin/logs/:name/download': {
    tag: 'Hosting',
    summary: 'Download a log file',
    answerType: 'text/plain',
    refusals: { 404: NO_FILE, 429: LOG_OFTEN },
    example: { params: { name: 'bellbird.log' } },
  },
  'DELETE /api/admin/logs/:name': {
    tag: 'Hosting',
    summary: 'Empty a log file',
    refusals: { 404: NO_FILE, 429: LOG_OFTEN },
    example: { params: { name: 'bellbird.log' } },
  },
  'GET /api/admin/backups': {
    tag: 'Hosting',
    summary: 'List the backups, and how the one under way stands',
    example: {},
  },
  'POST /api/admin/backups': {
    tag: 'Hosting',
    summary: 'Make a backup now',
    description: 'The answer does not wait for it; the list says how it stands.',
    refusals: { 409: 'A backup is already being made.', 429: 'Asked too often within a minute.' },
    example: {},
  },
  'POST /api/admin/backups/:name/download': {
    tag: 'Hosting',
    summary: 'Get an address to download a backup from',
    description: 'Asks for the password again. The address holds for a minute, once, and needs no token.',
    refusals: {
      400: 'That is not the password of this account.',
      404: 'The backup is not there any more.',
      429: 'Too many wrong passwords; `Retry-After` says when.',
      503: 'The server is busy with other passwords; `Retry-After` says when to come back.',
    },
    example: {
      params: { name: 'nightly-2026-11-17T16-10-00-000Z.db' },
      body: { password: 'a good password' },
    },
  },
  'GET /api/backup-download': {
    tag: 'Hosting',
    summary: 'Download a backup by its one-time address',
    description: 'An SQLite database. The ticket stands in for the token.',
    answerType: 'application/vnd.sqlite3',
    refusals: { 404: 'The ticket was used, is older than a minute, or was never given.' },
    example: { query: { ticket: 'the-ticket-of-the-address' } },
  },
  'GET /api/admin/recordings': {
    tag: 'Hosting',
    summary: 'List the recordings, and how the one under way stands',
    description: 'Times are of the recorded market. `suggestion` is a name that is free.',
    example: {},
  },
  'POST /api/admin/recordings': {
    tag: 'Hosting',
    summary: 'Begin to record the market',
    description: 'It ends when it is stopped, with the session, or when the disk is almost full.',
    refusals: {
      400: 'The name can not be one of a file.',
      409: 'A recording is under way, the name is taken, or the disk is almost full.',
      429: RECORDINGS_OFTEN,
    },
    example: { body: { name: 'Monday open' } },
  },
  'POST /api/admin/recordings/stop': {
    tag: 'Hosting',
    summary: 'End the recording under way',
    description: 'The answer comes when all of it is on the disk.',
    refusals: { 409: 'No recording is under way.', 429: RECORDINGS_OFTEN },
    example: {},
  },
  'DELETE /api/admin/recordings/:name': {
    tag: 'Hosting',
    summary: 'Delete a recording',
    refusals: { 404: NO_RECORDING, 409: 'It is under way, or being played.', 429: RECORDINGS_OFTEN },
    example: { params: { name: 'Monday open' } },
  },
  'POST /api/admin/recordings/:name/download': {
    tag: 'Hosting',
    summary: 'Get an address to download a recording from',
    description: 'The address holds for a minute, once, and needs no token.',
    refusals: { 404: NO_RECORDING, 429: RECORDINGS_OFTEN },
    example: { params: { name: 'Monday open' } },
  },
  'POST /api/admin/recordings/:name/play': {
    tag: 'Hosting',
    summary: 'Play a recording to everybody',
    description:
      'The server restarts and plays it in the place of its source, from the beginning, also after further restarts, until ' +
      'that is ended. `GET /healthz` answers with another `pid` once it is back.',
    refusals: {
      400: 'Nobody would start the server again.',
      404: NO_RECORDING,
      409: 'It is under way or damaged, the settings name a recording themselves, or an update is under way or on trial.',
      429: RECORDINGS_OFTEN,
    },
    example: { params: { name: 'Monday open' } },
  },
  'POST /api/admin/recordings/end-replay': {
    tag: 'Hosting',
    summary: 'End the replay that was begun in the panel',
    description: 'The server restarts with the source of its settings.',
    refusals: {
      400: 'Nobody would start the server again.',
      409: 'No recording is played from here, or an update is under way or on trial.',
      429: RECORDINGS_OFTEN,
    },
    example: {},
  },
  'GET /api/recording-download': {
    tag: 'Hosting',
    summary: 'Download a recording by its one-time address',
    description: 'A file for `BELLBIRD_REPLAY_FILE`. The ticket stands in for the token.',
    answerType: 'application/octet-stream',
    refusals: { 404: 'The ticket was used, is older than a minute, or was never given.' },
    example: { query: { ticket: 'the-ticket-of-the-address' } },
  },
  'GET /api/admin/server/info': {
    tag: 'Hosting',
    summary: 'Which program runs, on what, and since when',
    example: {},
  },
  'POST /api/admin/server/restart': {
    tag: 'Hosting',
    summary: 'Restart the server',
    description:
      'What is under way is finished first. `GET /healthz` answers with another `pid` once it is back.',
    refusals: {
      400: 'Nobody would start it again.',
      409: TRIAL,
      429: 'Asked too often within a minute.',
    },
    example: {},
  },
  'GET /api/admin/server/update': {
    tag: 'Hosting',
    summary: 'How the update under way stands, else the last one',
    example: {},
  },
  'POST /api/admin/server/update/check': {
    tag: 'Hosting',
    summary: 'Look for what an update would bring',
    description: 'Nothing is changed.',
    refusals: {
      400: 'This installation is not updated from here, or what it would come from gave no usable answer.',
      409: TRIAL,
      429: 'Asked too often within a minute.',
    },
    example: {},
  },
  'POST /api/admin/server/update-and-restart': {
    tag: 'Hosting',
    summary: 'Update the server, and restart it',
    description:
      'Without anything new `updated` is false and nothing happens. Else the new version is made, tried on a copy of the ' +
      'database and swapped in after the answer; if it does not run well, the old one comes back with its database.',
    refusals: {
      400: 'This installation is not updated from here, or can not be now; the sentence says why.',
      409: TRIAL,
      429: 'Asked too often within a minute.',
    },
    example: {},
  },
};
