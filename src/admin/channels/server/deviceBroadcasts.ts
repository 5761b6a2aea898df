import type { Log } from '#lib/log.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { OutboxService } from '#platform/outbox/index.ts';
import type { Devices } from '#subjects/devices/server/service.ts';
import { deviceMessage } from '../rules/broadcast.ts';
import type { ChannelStore } from './store.ts';

/** Written in one transaction, which takes a few milliseconds; the others follow after other work. */
const AT_ONCE = 200;
const RETRY_MS = 5000;

export type DeviceBroadcastsDeps = {
  store: Pick<ChannelStore, 'inTransaction' | 'unfinishedBroadcast' | 'devicesDone'>;
  outbox: Pick<OutboxService, 'add' | 'wake'>;
  devices: Pick<Devices, 'reachedAfter'>;
  schedule: Scheduler;
  log: Log;
};

/**
 * Writes what administrators say to everybody into the outbox, some devices at a time. How far it came is on disk with what
 * was written, so that a restart goes on and tells nobody twice.
 */
export class DeviceBroadcasts {
  #isRunning = false;
  #cancel: (() => void) | null = null;

  constructor(private readonly deps: DeviceBroadcastsDeps) {}

  start(): void {
    this.#isRunning = true;
    this.look();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** To be called after the commit of a new one. */
  look(): void {
    if (this.#isRunning) this.#cancel ??= this.deps.schedule(0, () => this.#writeSome());
  }

  #writeSome(): void {
    this.#cancel = null;
    try {
      if (!this.#writeNext()) return;
      this.deps.outbox.wake();
      this.look();
    } catch (error) {
      this.deps.log.error('A message to everybody could not be written; trying again', { error });
      if (this.#isRunning) this.#cancel = this.deps.schedule(RETRY_MS, () => this.#writeSome());
    }
  }

  /** @returns whether anything was left to write */
  #writeNext(): boolean {
    const { store, outbox, devices } = this.deps;
    return store.inTransaction(() => {
      const open = store.unfinishedBroadcast();
      if (!open) return false;
      const some = devices.reachedAfter(open.devicesDone, AT_ONCE);
      const message = deviceMessage(open.message);
      outbox.add(
        some.map(({ userId, platform, chatId }) => ({
          platform,
          chatId,
          userId,
          message,
          triggerId: null,
          mayWait: true,
          target: 'everybody' as const,
          broadcastId: open.id,
        })),
      );
      store.devicesDone(open.id, some.length < AT_ONCE ? null : (some.at(-1)?.id ?? null));
      return true;
    });
  }
}
