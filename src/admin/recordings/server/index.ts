import { createSessionReader } from '#platform/http/auth.ts';
import { DownloadTickets } from '#platform/http/oneTimeLink.ts';
import { humanSize } from '#lib/humanSize.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { Core, Part } from '#src/part.ts';
import type { ChangeSet } from '#market/types.ts';
import type { LiveNeeds } from '#market/recording/live.ts';
import { RecordingFolder } from './folder.ts';
import { Playing, type PlayingDeps } from './playing.ts';
import { recordingRoutes, type RecordingRoutesDeps } from './routes.ts';
import { Recordings } from './service.ts';

export type RecordingsNeeds = Pick<RecordingRoutesDeps, 'auth' | 'audit' | 'keepOpen'> &
  Pick<LiveNeeds, 'market' | 'releases' | 'events'> & {
    /** Where recordings lie; made with the first one. */
    folder: string;
    /** URL-safe random text of 128 bits or more. */
    randomToken(): string;
    /** Bytes that are free on the disk; null when the system does not tell. */
    free(): number | null;
  } & Pick<PlayingDeps, 'choiceFile' | 'noRestart' | 'restart'>;

const inspected = (service: Recordings): Inspection => {
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
};

/**
 * Recordings of the running market in the data folder: made when an administrator asks, listed, played, downloaded and deleted. One
 * that is under way takes in every tick.
 */
export function createRecordings(
  core: Pick<Core, 'config' | 'db' | 'clock' | 'log' | 'source'>,
  { folder, randomToken, ...needs }: RecordingsNeeds,
) {
  const { clock, source, config } = core;
  const files = new RecordingFolder(folder);
  const log = core.log.child('recordings');
  const service = new Recordings({ ...needs, source, files, stopwatch: clock, log });
  const playing = new Playing({ ...needs, files, recordings: service, replay: config.replay });
  return {
    name: 'recordings',
    service,
    routes: () =>
      recordingRoutes({
        ...needs,
        clock,
        files,
        playing,
        recordings: service,
        tickets: new DownloadTickets('/api/recording-download', {
          clock,
          randomToken,
          readSession: createSessionReader(core),
        }),
      }),
    onChanges: (changes: ChangeSet | null) => service.onChanges(changes),
    stop: () => service.close(),
    inspect: () => inspected(service),
  } satisfies Part;
}
