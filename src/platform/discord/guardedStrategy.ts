import { SimpleShardingStrategy, type WebSocketManager } from '@discordjs/ws';

/** What the library has and does not declare. */
type Inner = {
  shards?: Map<number, { onMessage(data: unknown, isBinary: boolean): Promise<void> }>;
};

/**
 * As the library's own, which throws at a message of an unknown form where nobody catches it. That one is passed over
 * here, and told.
 */
export class GuardedStrategy extends SimpleShardingStrategy {
  readonly #unreadable: (error: unknown) => void;

  constructor(manager: WebSocketManager, unreadable: (error: unknown) => void) {
    super(manager);
    this.#unreadable = unreadable;
  }

  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    const { shards = new Map() } = this as unknown as Inner;
    for (const shard of shards.values()) {
      const read = shard.onMessage.bind(shard);
      shard.onMessage = async (data: unknown, isBinary: boolean) => {
        try {
          await read(data, isBinary);
        } catch (error) {
          this.#unreadable(error);
        }
      };
    }
  }
}
