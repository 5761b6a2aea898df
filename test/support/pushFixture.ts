import { loadConfig } from '#src/config/config.ts';
import { createHttpClient, type HttpCall } from '#lib/httpClient/client.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { timerScheduler } from '#lib/scheduler.ts';
import { devices } from '#src/tables/userSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { createOutbox } from '#platform/outbox/index.ts';
import type { NewMessage } from '#platform/outbox/message.ts';
import { connectPush } from '#platform/push/index.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { openMemoryDb } from './memoryDb.ts';
import { openPushService, type PushServer } from './pushService.ts';
import { appOf } from './appOf.ts';

export const PUSH_SECRET = 'a-secret-that-signs-what-buttons-may-do';

export async function addDevice(db: Db, service: PushServer, userId = 1) {
  const { number, subscription } = await service.browser();
  const key = `user${userId}`;
  db.insert(users)
    .values({ id: userId, username: key, usernameKey: key, passwordHash: '', createdAt: 0 })
    .onConflictDoNothing()
    .run();
  const row = db
    .insert(devices)
    .values({
      userId,
      ...subscription,
      name: `Browser ${number}`,
      createdAt: 0,
      origin: 'https://bell.example',
      sessionId: 'a session',
    })
    .returning()
    .get();
  return { id: row.id, number, chatId: `other:${row.id}`, userId };
}

type Addressee = { chatId: string; userId: number };

export const pushed = (
  { chatId, userId }: Addressee,
  title: string,
  more: Partial<ChatMessage> = {},
): NewMessage => ({
  platform: 'push',
  chatId,
  userId,
  triggerId: null,
  message: { title, lines: [], link: null, buttons: [], ...more },
});

export type PushFixtureOptions = {
  /** Rate limits pass this many times as fast. */
  hurry?: number;
};

/** The outbox with the real senders of web push, and a push service on this machine. */
export async function createPushFixture({ hurry = 1 }: PushFixtureOptions = {}) {
  const service = await openPushService();
  const db = openMemoryDb();
  const wall = { aheadMs: 0 };
  const clock = { now: () => Date.now() + wall.aheadMs, monotonic: () => performance.now() };
  const lines: LogLine[] = [];
  const calls: HttpCall[] = [];
  const http = createHttpClient({
    clock,
    onCall: (call) => calls.push(call),
    schedule: (ms, run) => timerScheduler(ms / hurry, run),
  });
  const { config } = loadConfig({ BELLBIRD_PUSH_SERVICES: service.origin });
  const core = { config, db, clock, http, log: createLog((line) => lines.push(line)) };
  const push = connectPush(appOf({ ...core, jwtSecret: PUSH_SECRET }));
  const outbox = createOutbox(appOf({ ...core, schedule: timerScheduler }), {
    senders: push.senders,
    messageOf: () => null,
  });
  return {
    service,
    db,
    outbox,
    push,
    lines,
    calls,
    core,
    /** Sets this server’s clock this far ahead of the push service’s. */
    setClock: (aheadMs: number) => void (wall.aheadMs = aheadMs),
    add(...messages: readonly NewMessage[]): string[] {
      const nonces = outbox.service.add(messages);
      outbox.service.wake();
      return nonces;
    },
    async stop() {
      await outbox.stop();
      service.stop();
    },
  };
}

export type PushFixture = Awaited<ReturnType<typeof createPushFixture>>;
