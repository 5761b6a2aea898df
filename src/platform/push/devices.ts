import type { Db } from '../db/open.ts';

/** Where a device's messages go, and what they are encrypted with. */
export type PushTarget = { endpoint: string; p256dh: string; auth: string; origin: string };

const TARGET = `SELECT endpoint, p256dh, auth, origin FROM devices WHERE id = ? AND status <> 'gone'`;

/** Looks up where a device's messages go; null when it takes none any more. */
export function createPushTargets({ $client }: Db): (id: number) => PushTarget | null {
  const query = $client.query<PushTarget, [number]>(TARGET);
  return (id) => query.get(id);
}
