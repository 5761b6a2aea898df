import type { Stopwatch } from '#lib/clock.ts';
import { inSlices } from '#lib/turns.ts';
import type { WholeMarket } from '#market/stream/hub.ts';
import { packData } from '#market/stream/snapshot.ts';
import type { Engine, KeptSnapshot, RelayVersion } from '../engine/types.ts';
import type { Run } from './run.ts';

export type SnapshotKeeperDeps = {
  engine: Pick<Engine, 'keepSnapshot'>;
  clock: Stopwatch;
  version: RelayVersion;
  streams: KeptSnapshot['streams'];
  /** The market as it stands; read in one piece with the position of the run. */
  whole(): WholeMarket;
};

/** Keeps the whole market in the engine, as it is after a frame. */
export class SnapshotKeeper {
  #making = 0;
  /** When one was read last, by the stopwatch, and at which frame. */
  #at = 0;
  #number = 0;

  constructor(private readonly deps: SnapshotKeeperDeps) {}

  /** Keeps the market as it stands; of a run that is over meanwhile it keeps nothing. @throws EngineError */
  async keep(run: Run): Promise<void> {
    this.#making += 1;
    try {
      await this.#keep(run);
    } finally {
      this.#making -= 1;
    }
  }

  get isKeeping(): boolean {
    return this.#making > 0;
  }

  /** How long ago the last one was read, ms. */
  age(): number {
    return this.deps.clock.monotonic() - this.#at;
  }

  /** How many frames of the run came since. */
  framesSince(run: Run): number {
    return run.position().number - this.#number;
  }

  async #keep(run: Run): Promise<void> {
    const { engine, clock, version, streams, whole } = this.deps;
    const position = run.position();
    const { epoch, seq, state } = whole();
    this.#at = clock.monotonic();
    this.#number = position.number;
    const packed = await inSlices(clock, packData(state));
    if (!run.isOver) await engine.keepSnapshot({ ...version, position, epoch, seq, streams, packed });
  }
}
