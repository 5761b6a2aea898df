import { eq } from 'drizzle-orm';
import { facts } from '../db/schema.ts';
import type { Db } from '../db/open.ts';
import { isRecord, parseJson } from '../../lib/json.ts';

const KEY = 'telegram_updates';

/** How far a bot's updates were taken up. */
export type Offset = {
  botId: number;
  /** The newest update that was taken up. */
  last: number;
  /** When, epoch ms. */
  at: number;
};

/** SQL of the one value that is kept of Telegram's updates. */
export const offsetStore = (db: Db) => ({
  read(): Offset | null {
    const row = db.select().from(facts).where(eq(facts.key, KEY)).get();
    const parsed = row ? parseJson(row.value) : null;
    if (!parsed?.ok || !isRecord(parsed.value)) return null;
    const { botId, last, at } = parsed.value;
    const isWhole = [botId, last, at].every((value) => Number.isSafeInteger(value));
    return isWhole ? { botId: Number(botId), last: Number(last), at: Number(at) } : null;
  },

  write(offset: Offset): void {
    const value = JSON.stringify(offset);
    db.insert(facts)
      .values({ key: KEY, value })
      .onConflictDoUpdate({ target: facts.key, set: { value } })
      .run();
  },
});

export type OffsetStore = ReturnType<typeof offsetStore>;
