import { executable, type Running, startBellbird } from '#support/executable.ts';
import { HEAP_SETTINGS } from '#platform/install/shared/heapSettings.ts';
import { type RedisServer, startRedis } from '#support/redisServer.ts';
import { primaryEnv, type RelayProcess, startRelay } from '#support/relayProcess.ts';

/** Servers run on the first core, pages on the second, where there are several. */
const onFirst: readonly string[] = Bun.which('taskset') ? ['taskset', '-c', '0', executable] : [executable];

/** All pages of a bench come from one address; the simulated day has a tick a second with some 300 stocks. */
const SETTINGS = {
  // As the unit and the image have them.
  ...HEAP_SETTINGS,
  BELLBIRD_MAX_STREAMS: '1000000',
  BELLBIRD_MAX_STREAMS_PER_ADDRESS: '1000000',
  BELLBIRD_SIM_START: '11:00',
  BELLBIRD_SUPERVISED: 'yes',
};

export type RelayStage = {
  redis: RedisServer;
  primary: Running;
  relays: RelayProcess[];
  addRelay(port?: number): Promise<RelayProcess>;
  /** Starts a primary that was ended, on the same data and port. */
  startPrimary(): Promise<void>;
  stop(): Promise<void>;
};

/** A server as it is without any relay. */
export const startSingle = (): Promise<Running> => startBellbird({ command: onFirst, env: SETTINGS });

/** A message engine, a primary with 2,000 simulated stocks, and no relay yet. */
export async function startStage(dataDir: string): Promise<RelayStage> {
  const redis = await startRedis();
  const env = { ...SETTINGS, ...primaryEnv(redis.url) };
  const relays: RelayProcess[] = [];
  let primary = await startBellbird({ command: onFirst, env, dataDir });
  const { port, url } = primary;
  return {
    redis,
    get primary() {
      return primary;
    },
    relays,
    async addRelay(relayPort) {
      const name = `relay-${relays.length + 1}`;
      const more = relayPort === undefined ? {} : { port: relayPort };
      const relay = await startRelay({
        engineUrl: redis.url,
        primaryUrl: url,
        name,
        command: onFirst,
        env: HEAP_SETTINGS,
        ...more,
      });
      relays.push(relay);
      return relay;
    },
    async startPrimary() {
      primary = await startBellbird({ command: onFirst, env, dataDir, port });
    },
    async stop() {
      for (const relay of relays) await relay.stop('SIGKILL');
      await primary.stop('SIGKILL');
      await redis.stop();
    },
  };
}
