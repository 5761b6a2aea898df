import { turnOn } from './secondFactor.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { putBackups } from './backupFolder.ts';
import {
  done,
  LOG_NAME,
  listing,
  METRICS_KEY,
  RELAY_SECRET,
  requireUser,
  type Setup,
  type Stage,
} from './apiStage.ts';
import { PASSWORD, START } from './testApp.ts';
import { RELAY_HEADER, relayToken } from '../../src/platform/http/relayToken.ts';

const ONE_DAY_MS = 86_400_000;
const FROM_RELAY = { [RELAY_HEADER]: relayToken(RELAY_SECRET, 'asked') };

/** Somebody who asks for a plan. */
async function asking({ app }: Stage): Promise<number> {
  const user = await app.addUser(`hopeful ${crypto.randomUUID().slice(0, 8)}`);
  const token = await app.tokenOf(user);
  await done(app, '/api/settings/request-upgrade', { level: 'premium' }, { token });
  return user.id;
}

const decision =
  (more: object): Setup =>
  async (stage) => ({
    body: { userId: await asking(stage), requestedSubscriptionType: 'premium', ...more },
  });

const somebody: Setup = async (stage) => ({ params: { id: String(await asking(stage)) } });

const edited: Setup = async (stage) => {
  const id = await asking(stage);
  await stage.app.request('PUT', `/api/admin/users/${id}`, {
    as: 'admin',
    body: { subscriptionType: 'basic' },
  });
  return {};
};

const CLOSURES = '/api/admin/market-closures';
const CLOSED_DAY = { date: '2027-09-22', kind: 'closed', reason: 'National Day of Mourning' };
/** The day of the examples is there, or is not. */
const closure: Setup = async ({ app }) => {
  await app.request('POST', CLOSURES, { as: 'admin', body: CLOSED_DAY });
  return { params: { date: CLOSED_DAY.date } };
};
const noClosure: Setup = async ({ app }) => {
  await app.request('DELETE', `${CLOSURES}/${CLOSED_DAY.date}`, { as: 'admin' });
  return {};
};

/** A channel that nobody else's example uses. */
async function addChannel({ user, post }: Stage): Promise<number> {
  const body = { name: 'Traders', platform: 'telegram', chatId: `-100${2_000_000 + requireUser(user).id}` };
  return ((await post('/api/admin/channels', body))['channel'] as { id: number }).id;
}
const channel: Setup = async (stage) => ({ params: { id: String(await addChannel(stage)) } });
const broadcast: Setup = async (stage) => ({
  body: { channelIds: [await addChannel(stage)], message: 'The server restarts at six.' },
});
const sent: Setup = async (stage) => {
  const { body } = await broadcast(stage);
  await stage.post('/api/admin/channels/broadcast', body);
  return { params: { id: String((body as { channelIds: number[] }).channelIds[0]) } };
};

const logFile: Setup = ({ app }) => {
  writeFileSync(join(app.folders.logs, LOG_NAME), 'The server started.\nIt listens.\n');
  return { params: { name: LOG_NAME } };
};

const backup: Setup = async ({ app }) => {
  const made = [{ kind: 'nightly', at: START - ONE_DAY_MS, text: 'a database' }] as const;
  const [name = ''] = await putBackups(app.folders.backups, made);
  return { params: { name } };
};

let recordings = 0;
/** A recording that is under way. */
async function recording({ app }: Stage): Promise<string> {
  recordings += 1;
  const running = app.parts.recordings.service.running();
  if (running) await done(app, '/api/admin/recordings/stop', {});
  const name = `Recording ${String(recordings)}`;
  await done(app, '/api/admin/recordings', { name });
  return name;
}
const recorded: Setup = async (stage) => {
  const name = await recording(stage);
  await done(stage.app, '/api/admin/recordings/stop', {});
  return { params: { name } };
};
const notRecording: Setup = async ({ app }) => {
  if (app.parts.recordings.service.running()) await done(app, '/api/admin/recordings/stop', {});
  recordings += 1;
  return { body: { name: `Recording ${String(recordings)}` } };
};

/** What must be there before the example of a route for administrators is sent, by method and path. */
export const ADMIN_SETUPS: Readonly<Record<string, Setup>> = {
  'POST /api/relays/alert-opening': async ({ app }) => {
    const token = await app.tokenOf(await app.user('free'));
    return { body: { token, lastEventId: null }, headers: FROM_RELAY };
  },
  'POST /api/relays/sessions': () => ({ headers: FROM_RELAY }),
  'GET /metrics': () => ({ headers: { authorization: `Bearer ${METRICS_KEY}` } }),
  'GET /api/admin/users/:id': somebody,
  'PUT /api/admin/users/:id': somebody,
  'POST /api/admin/users/:id/clear-second-factor': async ({ app }) => {
    const user = await app.addUser('lost phone');
    await turnOn(app, { token: await app.tokenOf(user) });
    return { params: { id: String(user.id) } };
  },
  'GET /api/admin/upgrade-requests': listing(somebody),
  'POST /api/admin/approve-upgrade': decision({}),
  'POST /api/admin/decline-upgrade': decision({ reason: 'Next month, gladly.' }),
  'GET /api/admin/audit': edited,
  'GET /api/admin/market-closures': listing(closure),
  'POST /api/admin/market-closures': noClosure,
  'DELETE /api/admin/market-closures/:date': closure,
  'GET /api/admin/channels': listing(channel),
  'PUT /api/admin/channels/:id': channel,
  'DELETE /api/admin/channels/:id': channel,
  'POST /api/admin/channels/broadcast': broadcast,
  'GET /api/admin/channels/broadcasts': listing(sent),
  'GET /api/admin/channels/:id/messages': sent,
  'GET /api/admin/external-metrics': async ({ post }) => {
    await post('/api/admin/askai', { question: 'Which stocks gapped up today?' });
    return {};
  },
  'GET /api/admin/logs': listing(logFile),
  'GET /api/admin/logs/:name/tail': logFile,
  'GET /api/admin/logs/:name/download': logFile,
  'DELETE /api/admin/logs/:name': logFile,
  'GET /api/admin/backups': listing(backup),
  'POST /api/admin/backups/:name/download': backup,
  'GET /api/admin/recordings': listing(recorded),
  'POST /api/admin/recordings': notRecording,
  'POST /api/admin/recordings/stop': async (stage) => {
    await recording(stage);
    return {};
  },
  'DELETE /api/admin/recordings/:name': recorded,
  'POST /api/admin/recordings/:name/download': recorded,
  'POST /api/admin/recordings/:name/play': recorded,
  'POST /api/admin/recordings/end-replay': async (stage) => {
    const { params } = await recorded(stage);
    await done(stage.app, `/api/admin/recordings/${String(params?.['name'])}/play`, {});
    return {};
  },
  'GET /api/recording-download': async (stage) => {
    const { params } = await recorded(stage);
    const { url } = await done(stage.app, `/api/admin/recordings/${String(params?.['name'])}/download`, {});
    return { query: { ticket: String(url).split('ticket=')[1] ?? '' } };
  },
  'GET /api/backup-download': async (stage) => {
    const { params } = await backup(stage);
    const path = `/api/admin/backups/${params?.['name']}/download`;
    const { url } = await done(stage.app, path, { password: PASSWORD });
    return { query: { ticket: String(url).split('ticket=')[1] ?? '' } };
  },
};
