import type {
  Engine,
  EngineListener,
  KeptSnapshot,
  OpenStreams,
  Placed,
  Position,
  PrimaryLease,
  RelayReport,
} from '../../src/relays/engine/types.ts';

export type HandEngine = Engine & {
  /** What was asked to be published and not confirmed yet, oldest first. */
  waiting: { placed: Placed; confirm(): void; refuse(error: Error): void }[];
  /** What was confirmed. */
  published: Placed[];
  snapshots: KeptSnapshot[];
  /** Confirms all that is asked, at once; a test sets it off. */
  confirms: boolean;
  holder: PrimaryLease | null;
  told: RelayReport[];
  own: OpenStreams | null;
  /** How long ago relays told, ms by id. */
  ago: Map<string, number>;
  newestPosition: Position | null;
  /** A relay waits for a word of the primary. */
  isAsked: boolean;
  goUp(): void;
  goDown(problem: string): void;
};

/** A message engine that does what a test says, and answers in its own time. */
export function handEngine(): HandEngine {
  const listeners: EngineListener[] = [];
  let isUp = false;
  let problem: string | null = 'not connected';
  const engine: HandEngine = {
    ...{ waiting: [], published: [], snapshots: [], told: [], own: null, ago: new Map() },
    ...{ confirms: true, holder: null, newestPosition: null, isAsked: false },
    start: () => undefined,
    stop: async () => undefined,
    isUp: () => isUp,
    problem: () => problem,
    listen: (listener) => void listeners.push(listener),
    publish(placed) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const confirm = (): void => {
        engine.published.push(placed);
        resolve();
      };
      if (engine.confirms) confirm();
      else engine.waiting.push({ placed, confirm, refuse: reject });
      return promise;
    },
    newest: async () => engine.newestPosition,
    newestSealed: async () => engine.newestPosition,
    keepSnapshot: async (snapshot) => void engine.snapshots.push(snapshot),
    holdLease: async () => engine.holder,
    releaseLease: async () => undefined,
    async wasAsked() {
      const { isAsked } = engine;
      engine.isAsked = false;
      return isAsked;
    },
    askForWord: async () => void (engine.isAsked = true),
    keepOwnStreams: async (own) => void (engine.own = own),
    primaryStreams: async () => engine.own,
    reports: async () => engine.told,
    ages: async () => engine.ago,
    read: async () => [],
    snapshot: async () => engine.snapshots.at(-1) ?? null,
    report: async () => undefined,
    unreport: async () => undefined,
    goUp() {
      isUp = true;
      problem = null;
      for (const { up } of listeners) up?.();
    },
    goDown(why) {
      isUp = false;
      problem = why;
      for (const { down } of listeners) down?.(why);
    },
  };
  return engine;
}
