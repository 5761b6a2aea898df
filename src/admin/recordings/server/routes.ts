import { Elysia } from 'elysia';
import { RECORDINGS } from '../contract.ts';
import type { Auth } from '#platform/http/auth.ts';
import type { Connections } from '#platform/http/connections.ts';
import { type DownloadTickets, savedFile } from '#platform/http/oneTimeLink.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { RECORDING_ENDING } from '../rules/recordingName.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Audit } from '#admin/audit/server/service.ts';
import type { RecordingFolder } from './folder.ts';
import type { Playing } from './playing.ts';
import type { Recordings } from './service.ts';

export type RecordingRoutesDeps = Pick<Connections, 'keepOpen'> & {
  auth: Auth;
  clock: SystemClock;
  recordings: Recordings;
  files: RecordingFolder;
  playing: Playing;
  tickets: DownloadTickets;
  audit: Audit;
};

/** Recordings that one administrator may begin, end, delete or ask for in a minute. */
const MAX_CHANGES_A_MINUTE = 20;

const viewOf = ({ recordings, playing }: Pick<RecordingRoutesDeps, 'recordings' | 'playing'>) => {
  const { free, isLow } = recordings.disk();
  return {
    recordings: recordings.list().map(({ name, size, date, source, from, until, isCutOff, problem }) => ({
      name,
      size,
      date,
      source,
      from,
      until,
      isCutOff,
      problem,
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
const downloadRoute = ({ auth, tickets, recordings, files, audit, keepOpen }: RecordingRoutesDeps) =>
  new Elysia({ name: 'recordings.download' }).use(auth).get(
    '/recording-download',
    ({ query, request }) => {
      const download = tickets.redeem(query.ticket);
      const { name } = recordings.findFile(download.name);
      audit.record({ userId: download.userId, action: 'download recording', target: name });
      keepOpen(request);
      return savedFile(files.pathOf(name), name + RECORDING_ENDING, 'application/octet-stream');
    },
    { anyone: true, ...routeSchemas(RECORDINGS['GET /api/recording-download']) },
  );

type Count = (userId: number) => void;

/** Playing one to everybody, and the way back. Both restart the server. */
const playRoutes = ({ auth, playing }: RecordingRoutesDeps, count: Count) =>
  new Elysia({ name: 'recordings.play' })
    .use(auth)
    .post(
      '/admin/recordings/:name/play',
      ({ user, params }) => {
        count(user.id);
        return { success: true as const, name: playing.play(user, params.name) };
      },
      { minLevel: 4, ...routeSchemas(RECORDINGS['POST /api/admin/recordings/:name/play']) },
    )
    .post(
      '/admin/recordings/end-replay',
      ({ user }) => {
        count(user.id);
        return { success: true as const, name: playing.end(user) };
      },
      { minLevel: 4, ...routeSchemas(RECORDINGS['POST /api/admin/recordings/end-replay']) },
    );

/** Beginning to record, and ending it. */
const makeRoutes = ({ auth, recordings, audit }: RecordingRoutesDeps, count: Count) =>
  new Elysia({ name: 'recordings.make' })
    .use(auth)
    .post(
      '/admin/recordings',
      async ({ user, body }) => {
        count(user.id);
        const name = await recordings.start(body.name);
        audit.record({ userId: user.id, action: 'record', target: name });
        return { success: true as const, name };
      },
      { minLevel: 4, ...routeSchemas(RECORDINGS['POST /api/admin/recordings']) },
    )
    .post(
      '/admin/recordings/stop',
      async ({ user }) => {
        count(user.id);
        const name = await recordings.stop();
        audit.record({ userId: user.id, action: 'stop recording', target: name });
        return { success: true as const, name };
      },
      { minLevel: 4, ...routeSchemas(RECORDINGS['POST /api/admin/recordings/stop']) },
    );

/** Listing, making, playing, downloading and deleting recordings; for administrators. */
export function recordingRoutes(deps: RecordingRoutesDeps) {
  const { auth, recordings, playing, audit, tickets } = deps;
  const count = createWriteLimit(deps.clock, MAX_CHANGES_A_MINUTE, 'the recordings');
  return new Elysia({ name: 'recordings' })
    .use(auth)
    .get('/admin/recordings', () => viewOf(deps), {
      minLevel: 4,
      ...routeSchemas(RECORDINGS['GET /api/admin/recordings']),
    })
    .delete(
      '/admin/recordings/:name',
      ({ user, params: { name } }) => {
        count(user.id);
        playing.requireIdle(name);
        const { size } = recordings.remove(name);
        audit.record({ userId: user.id, action: 'delete recording', target: name, before: { size } });
        return { success: true as const, name };
      },
      { minLevel: 4, ...routeSchemas(RECORDINGS['DELETE /api/admin/recordings/:name']) },
    )
    .post(
      '/admin/recordings/:name/download',
      ({ user, params }) => {
        count(user.id);
        const { name } = recordings.findFile(params.name);
        return tickets.issue(user, name);
      },
      { minLevel: 4, ...routeSchemas(RECORDINGS['POST /api/admin/recordings/:name/download']) },
    )
    .use(makeRoutes(deps, count))
    .use(playRoutes(deps, count))
    .use(downloadRoute(deps));
}
