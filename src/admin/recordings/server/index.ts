import { createSessionReader } from '../../../platform/http/auth.ts';
import { createTickets } from '../../../platform/http/downloadTickets.ts';
import { humanSize } from '../../../lib/humanSize.ts';
import type { Core, Part } from '../../../part.ts';
import type { LiveNeeds } from '../../../market/recording/live.ts';
import { createRecordingFolder } from './folder.ts';
import { createPlaying, type PlayingDeps } from './playing.ts';
import { recordingRoutes, type RecordingRoutesDeps } from './routes.ts';
import { createRecordingsService } from './service.ts';

export type RecordingsNeeds = Pick<RecordingRoutesDeps, 'auth' | 'audit' | 'keepOpen'> &
  Pick<LiveNeeds, 'market' | 'releases' | 'events'> & {
    /** Where recordings lie; made with the first one. */
    folder: string;
    /** URL-safe random text of 128 bits or more. */
    randomToken(): string;
    /** Bytes that are free on the disk; null when the system does not tell. */
    free(): number | null;
  } & Pick<PlayingDeps, 'choiceFile' | 'noRestart' | 'restart'>;

/**
 * Recordings of the running market in the data folder: made when an administrator asks, listed, played, downloaded and deleted. One
 * that is under way takes in every tick.
 */
export function createRecordings(
  core: Pick<Core, 'config' | 'db' | 'clock' | 'log' | 'source'>,
  {
    auth,
    audit,
    keepOpen,
    market,
    releases,
    events,
    folder,
    randomToken,
    free,
    ...restarting
  }: RecordingsNeeds,
) {
  const { clock, source } = core;
  const files = createRecordingFolder(folder);
  const service = createRecordingsService({
    ...{ source, market, releases, events, files, folder, free },
    stopwatch: clock,
    log: core.log.child('recordings'),
  });
  const playing = createPlaying({
    ...{ ...restarting, files, audit },
    recordings: service,
    replay: core.config.replay,
  });
  return {
    name: 'recordings',
    service,
    routes: () =>
      recordingRoutes({
        ...{ auth, audit, keepOpen, clock, files, playing, recordings: service },
        tickets: createTickets({ clock, randomToken }),
        readSession: createSessionReader(core),
      }),
    onChanges: service.onChanges,
    stop: service.close,
    inspect() {
      const running = service.running();
      return {
        label: 'Recordings',
        description: 'The recordings of the market, and how the one under way stands.',
        summary: {
          recordings: service.list().length,
          running: running?.name ?? null,
          size: running && humanSize(running.size),
          failure: service.failure()?.reason ?? null,
        },
        data: () => ({ running, recordings: service.list(), failure: service.failure() }),
      };
    },
  } satisfies Part;
}
