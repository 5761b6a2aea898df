import { DownloadTickets, savedFile } from '#platform/http/oneTimeLink.ts';
import { humanSize } from '#lib/wording.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { App, Part } from '#platform/app.ts';
import type { ChangeSet } from '#market/types.ts';
import { RecordingFolder, Recordings } from './service.ts';
import { RECORDINGS } from '../contract.ts';
import { serve } from '#platform/http/routes.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { RECORDING_ENDING } from '#market/recording/rules/recordingName.ts';
import type { Config } from '#src/config/config.ts';
import { AppError } from '#platform/http/errors.ts';
import { choosePlayed, forgetPlayed, playedName, whyNotPlayable } from '#market/recording/open.ts';

type Administrator = { id: number; username: string };

const IN_SETTINGS =
  'This server’s settings already name a recording to play (BELLBIRD_FEED=replay). To play another from here, remove that setting and restart.';
const PLAYED = 'This recording is playing. End the replay first.';
const NONE = 'No recording is playing.';

/** Replays a recording of the data folder to all users, and returns to the configured source. */
class Playing {
  constructor(
    private readonly app: App,
    private readonly recordings: Recordings,
    private readonly files: RecordingFolder,
  ) {}

  /** The recording that was chosen here, and a description of the source that it replaces. */
  playing(): Config['replay']['chosen'] {
    return this.app.config.replay.chosen;
  }

  /** Why recordings cannot be played; null if they can. */
  whyNot(): string | null {
    return this.app.config.replay.fromSettings ? IN_SETTINGS : this.app.serverControls.info().noRestart;
  }

  /** @throws AppError 409 for the recording being played, because the next start would not find it */
  requireIdle(name: string): void {
    if (this.playing()?.name === name) throw new AppError(409, PLAYED);
  }

  /** @returns its name @throws AppError 404; 409 if it cannot be played, or the server cannot restart now */
  play(user: Administrator, asked: string): string {
    const { audit, config, paths, serverControls } = this.app;
    if (config.replay.fromSettings) throw new AppError(409, IN_SETTINGS);
    this.recordings.requireWritten(asked);
    const { name } = this.recordings.find(asked);
    const problem = whyNotPlayable(this.files.pathOf(name));
    if (problem !== null) throw new AppError(409, `The recording ${name} can't be played. ${problem}`);
    serverControls.restart(user, () => {
      audit.record({ userId: user.id, action: 'play recording', target: name });
      choosePlayed(paths.played, name);
    });
    return name;
  }

  /** @returns the name of the recording @throws AppError 409 if none is played, or no restart is possible now */
  end(user: Administrator): string {
    const { audit, paths, serverControls } = this.app;
    const name = playedName(paths.played) ?? this.playing()?.name;
    if (name === undefined) throw new AppError(409, NONE);
    serverControls.restart(user, () => {
      audit.record({ userId: user.id, action: 'end replay', target: name });
      forgetPlayed(paths.played);
    });
    return name;
  }
}

const MAX_CHANGES_A_MINUTE = 20;

const viewOf = (recordings: Recordings, playing: Playing) => {
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

/** Serves a file for a ticket, because a browser downloads an address without sending the session. */
const downloadRoute = (
  { audit, keepOpen }: App,
  recordings: Recordings,
  files: RecordingFolder,
  tickets: DownloadTickets,
) =>
  serve(RECORDINGS, {
    'GET /api/recording-download': ({ query, request }) => {
      const download = tickets.redeem(query.ticket);
      const { name } = recordings.findFile(download.name);
      audit.record({ userId: download.userId, action: 'download recording', target: name });
      keepOpen(request);
      return savedFile(files.pathOf(name), name + RECORDING_ENDING, 'application/octet-stream');
    },
  });

type Count = (userId: number) => void;

const playRoutes = (playing: Playing, count: Count) =>
  serve(RECORDINGS, {
    'POST /api/admin/recordings/:name/play': ({ user, params }) => {
      count(user.id);
      return { success: true as const, name: playing.play(user, params.name) };
    },
    'POST /api/admin/recordings/end-replay': ({ user }) => {
      count(user.id);
      return { success: true as const, name: playing.end(user) };
    },
  });

const makeRoutes = ({ audit }: App, recordings: Recordings, count: Count) =>
  serve(RECORDINGS, {
    'POST /api/admin/recordings': async ({ user, body }) => {
      count(user.id);
      const name = await recordings.start(body.name);
      audit.record({ userId: user.id, action: 'record', target: name });
      return { success: true as const, name };
    },
    'POST /api/admin/recordings/stop': async ({ user }) => {
      count(user.id);
      const name = await recordings.stop();
      audit.record({ userId: user.id, action: 'stop recording', target: name });
      return { success: true as const, name };
    },
  });

function recordingRoutes(app: App, recordings: Recordings, files: RecordingFolder) {
  const { audit, clock } = app;
  const playing = new Playing(app, recordings, files);
  const tickets = new DownloadTickets(app, '/api/recording-download');
  const count = createWriteLimit(clock, MAX_CHANGES_A_MINUTE, 'the recordings');
  return [
    ...serve(RECORDINGS, {
      'GET /api/admin/recordings': () => viewOf(recordings, playing),
      'DELETE /api/admin/recordings/:name': ({ user, params: { name } }) => {
        count(user.id);
        playing.requireIdle(name);
        const { size } = recordings.remove(name);
        audit.record({ userId: user.id, action: 'delete recording', target: name, before: { size } });
        return { success: true as const, name };
      },
      'POST /api/admin/recordings/:name/download': ({ user, params }) => {
        count(user.id);
        const { name } = recordings.findFile(params.name);
        return tickets.issue(user, name);
      },
    }),
    ...makeRoutes(app, recordings, count),
    ...playRoutes(playing, count),
    ...downloadRoute(app, recordings, files, tickets),
  ];
}

const inspected = (service: Recordings): Inspection => {
  const running = service.running();
  return {
    label: 'Recordings',
    description: 'Market recordings, and the one in progress.',
    summary: {
      recordings: service.list().length,
      running: running?.name ?? null,
      size: running && humanSize(running.size),
      failure: service.failure()?.reason ?? null,
    },
    data: () => ({ running, recordings: service.list(), failure: service.failure() }),
  };
};

/** Recordings of the market in the data folder. The running one receives every tick. */
export function createRecordings(app: App) {
  const files = new RecordingFolder(app.paths.recordings);
  const service = new Recordings(app, files);
  return {
    name: 'recordings',
    service,
    routes: () => recordingRoutes(app, service, files),
    onChanges: (changes: ChangeSet | null) => service.onChanges(changes),
    stop: () => service.close(),
    inspect: () => inspected(service),
  } satisfies Part;
}
