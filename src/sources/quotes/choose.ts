import type { Recording } from '../../market/recording/types.ts';
import { openToReplay } from './replay/open.ts';
import type { Config } from '../../config.ts';
import type { SystemClock } from '../../lib/clock.ts';
import type { HttpClient } from '../../lib/httpClient/client.ts';
import type { Log } from '../../lib/log.ts';
import type { MarketSource, SourceMemory } from './source.ts';

/**
 * Makes the market source that the configuration names. Only that one's code is loaded.
 *
 * @param parts.memory absent where nothing is kept over a restart
 * @throws StartError for a recording that can't be played
 */
export async function chooseSource(
  config: Config,
  parts: { wall: SystemClock; log: Log; http: HttpClient; memory?: SourceMemory },
): Promise<MarketSource> {
  const log = parts.log.child(config.feed);
  const { wall, http, memory } = parts;
  const { speed } = config.replay;
  switch (config.feed) {
    case 'simulator': {
      const { createSimulator } = await import('./simulator/index.ts');
      return createSimulator({ ...config.simulator, wall, log });
    }
    case 'tradingview': {
      const { createTradingView } = await import('./tradingview/index.ts');
      return createTradingView({ ...config.tradingview, wall, log, http, ...(memory && { memory }) });
    }
    case 'ingest': {
      const { createIngestSource } = await import('./ingest/index.ts');
      return createIngestSource({ wall, log });
    }
    case 'replay': {
      const { createReplay } = await import('./replay/index.ts');
      return createReplay({ recording: openToReplay(config.replay.file, log), ...{ speed, wall, log } });
    }
  }
}

/**
 * The recording that the settings name, opened; null where none is to be played.
 * @throws StartError with a sentence when it can't be played
 */
export const chosenRecording = (
  { feed, replay }: Pick<Config, 'feed' | 'replay'>,
  log: Log,
): Recording | null => (feed === 'replay' ? openToReplay(replay.file, log) : null);
