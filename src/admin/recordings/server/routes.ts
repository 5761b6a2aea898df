import { Elysia } from 'elysia';
import type { Auth, AuthUser } from '../../../platform/http/auth.ts';
import type { Connections } from '../../../platform/http/connections.ts';
import type { Tickets } from '../../../platform/http/downloadTickets.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { createWriteLimit } from '../../../platform/http/requestLimits.ts';
import { RECORDING_ENDING } from '../rules/recordingName.ts';
import type { SystemClock } from '../../../lib/clock.ts';
import type { Audit } from '../../audit/server/service.ts';
import type { RecordingFolder } from './folder.ts';
import {
  downloadAnswer,
  file,
  named,
  recordingParams,
  recordingsAnswer,
  startBody,
  ticketQuery,
} from './model.ts';
import type { Playing } from './playing.ts';
import type { Recordings } from './service.ts';

export type RecordingRoutesDeps = Pick<Connections, 'keepOpen'> & {
  auth: Auth;
  clock: SystemClock;
  recordings: Recordings;
  files: RecordingFolder;
  playing: Playing;
  tickets: Tickets;
  audit: Audit;
  /** Who a login session belongs to, as the database has it at this moment; null once it has ended. */
  readSession(sessionId: string): Pick<AuthUser, 'level'> | null;
};

/** Recordings that one administrator may begin, end, delete or ask for in a minute. */
const MAX_CHANGES_A_MINUTE = 20;

const viewOf = ({ recordings, playing }: Pick<RecordingRoutesDeps, 'recordings' | 'playing'>) => {
  const { free, isLow } = recordings.disk();
  return {
    recordings: recordings.list().map(({ name, size, date, source, from, until, isCutOff, problem }) => ({
      ...{ name, size, date, source, from, until, isCutOff, problem },
    })),
    running: recordings.running(),
    failure: recordings.failure(),
    disk: { free, low: isLow },
    playing: playing.playing(),
    noPlay: playing.whyNot(),
    suggestion: recordings.suggestion(),
  };
};

/** What fetches a file, by a ticket alone: a browser saves it by its address, without a session. */
const downloadRoute = ({
  auth,
  tickets,
  readSession,
  recordings,
  files,
  audit,
  keepOpen,
}: RecordingRoutesDeps) =>
  new Elysia({ name: 'recordings.download' }).use(auth).get(
    '/recording-download',
    ({ query, request }) => {
      const download = tickets.redeem(query.ticket);
      // Whoever is no administrator any more, or has logged out, gets nothing by what was promised before.
      if (!download || readSession(download.sessionId)?.level !== 4)
        throw new AppError(404, 'This download has expired. Start it again in Server Controls.');
      const { name } = recordings.find(download.name);
      audit.record({ userId: download.userId, action: 'download recording', target: name });
      keepOpen(request);
      return new Response(Bun.file(files.pathOf(name)), {
        headers: {
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="${name}${RECORDING_ENDING}"`,
          'cache-control': 'no-store',
        },
      });
    },
    { anyone: true, query: ticketQuery, response: { 200: file } },
  );

/** Playing one to everybody, and the way back. Both restart the server. */
const playRoutes = ({ auth, playing }: RecordingRoutesDeps, count: (userId: number) => void) =>
  new Elysia({ name: 'recordings.play' })
    .use(auth)
    .post(
      '/admin/recordings/:name/play',
      ({ user, params }) => {
        count(user.id);
        return { success: true as const, name: playing.play(user, params.name) };
      },
      { minLevel: 4, params: recordingParams, response: { 200: named } },
    )
    .post(
      '/admin/recordings/end-replay',
      ({ user }) => {
        count(user.id);
        return { success: true as const, name: playing.end(user) };
      },
      { minLevel: 4, response: { 200: named } },
    );

/** Listing, making, playing, downloading and deleting recordings; for administrators. */
export function recordingRoutes(deps: RecordingRoutesDeps) {
  const { auth, recordings, playing, audit, tickets } = deps;
  const count = createWriteLimit(deps.clock, MAX_CHANGES_A_MINUTE, 'the recordings');
  return new Elysia({ name: 'recordings' })
    .use(auth)
    .get('/admin/recordings', () => viewOf(deps), {
      minLevel: 4,
      response: { 200: recordingsAnswer },
    })
    .post(
      '/admin/recordings',
      async ({ user, body }) => {
        count(user.id);
        const name = await recordings.start(body.name);
        audit.record({ userId: user.id, action: 'record', target: name });
        return { success: true as const, name };
      },
      { minLevel: 4, body: startBody, response: { 200: named } },
    )
    .post(
      '/admin/recordings/stop',
      async ({ user }) => {
        count(user.id);
        const name = await recordings.stop();
        audit.record({ userId: user.id, action: 'stop recording', target: name });
        return { success: true as const, name };
      },
      { minLevel: 4, response: { 200: named } },
    )
    .delete(
      '/admin/recordings/:name',
      ({ user, params: { name } }) => {
        count(user.id);
        playing.requireIdle(name);
        const { size } = recordings.remove(name);
        audit.record({ userId: user.id, action: 'delete recording', target: name, before: { size } });
        return { success: true as const, name };
      },
      { minLevel: 4, params: recordingParams, response: { 200: named } },
    )
    .post(
      '/admin/recordings/:name/download',
      ({ user, params }) => {
        count(user.id);
        const { name } = recordings.find(params.name);
        const ticket = tickets.issue({ name, userId: user.id, sessionId: user.sessionId });
        return { url: `/api/recording-download?ticket=${encodeURIComponent(ticket)}` };
      },
      { minLevel: 4, params: recordingParams, response: { 200: downloadAnswer } },
    )
    .use(playRoutes(deps, count))
    .use(downloadRoute(deps));
}
