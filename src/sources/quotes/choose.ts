import type { SystemClock } from '#lib/clock.ts';
import { StartError } from '#lib/errors.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import type { Log } from '#lib/log.ts';
import { openRecording } from '#market/recording/open.ts';
import type { Recording } from '#market/recording/dayBook.ts';
import type { App, Part } from '#platform/app.ts';
import type { Config } from '#src/config/config.ts';
import type { KeepAnswer, SourceMemory } from '../answerForm.ts';
import type { MarketSource } from '#market/sources/quotes.ts';

/**
 * Opens the recording to play.
 * @param path as given; relative to the working directory
 * @throws StartError with a sentence if it can't be played
 */
function openToReplay(path: string | null, log: Log): Recording {
  if (path === null) throw new StartError('BELLBIRD_REPLAY_FILE must be set when BELLBIRD_FEED is replay.');
  const recording = openRecording(path);
  if (recording.isCutOff) {
    log.warn('The recording is cut off; playing the part that is complete', { file: path });
  }
  return recording;
}

/**
 * Makes the configured market source and loads only its code.
 * @param parts.memory absent if nothing is stored over a restart
 * @param parts.isNew whether the server has no accounts yet
 * @throws StartError for a recording that can't be played
 */
export async function chooseSource(
  config: Config,
  parts: {
    wall: SystemClock;
    log: Log;
    http: HttpClient;
    memory?: SourceMemory;
    keepAnswer?: KeepAnswer;
    isNew?: boolean;
  },
): Promise<MarketSource> {
  const log = parts.log.child(config.feed);
  const { wall, http, memory, keepAnswer, isNew = false } = parts;
  const { speed } = config.replay;
  switch (config.feed) {
    case 'simulator': {
      const { createSimulator } = await import('./simulator/index.ts');
      return createSimulator({ ...config.simulator, wall, log, memory, isNew });
    }
    case 'tradingview': {
      const { createTradingView } = await import('./tradingview/index.ts');
      return createTradingView({
        ...config.tradingview,
        wall,
        log,
        http,
        ...(memory && { memory }),
        ...(keepAnswer && { keepAnswer }),
      });
    }
    case 'ingest': {
      const { createIngestSource } = await import('./ingest/index.ts');
      return createIngestSource({ wall, log });
    }
    case 'replay': {
      const { createReplay } = await import('./replay/index.ts');
      return createReplay({ recording: openToReplay(config.replay.file, log), speed, wall, log });
    }
  }
}

/** The configured recording, opened, or null. @throws StartError (a sentence) if it can't be played */
export const chosenRecording = ({ feed, replay }: Config, log: Log): Recording | null =>
  feed === 'replay' ? openToReplay(replay.file, log) : null;

export function createFeed({ market, source }: App) {
  return {
    name: 'source',
    start: () => source.start(market),
    stop: () => source.stop(),
    inspect: () => ({
      label: 'Market source',
      description: 'The price source, its health and the age of its quotes.',
      summary: {
        name: source.name,
        label: source.label(),
        delayMinutes: source.delayMinutes(),
        ...source.health(),
      },
      data: () => ({ health: source.health(), marketTime: source.clock.now(), details: source.details?.() }),
    }),
  } satisfies Part;
}
