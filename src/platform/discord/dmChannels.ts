import type { REST } from '@discordjs/rest';
import { Routes } from 'discord-api-types/v10';
import { isRecord } from '../../lib/json.ts';
import { CallError } from '../chatClients/platformCall.ts';

/** The channels between the bot and users. */
export type DmChannels = {
  /** The channel's ID; null when it was not opened yet. */
  known(userId: string): string | null;
  /** @returns the channel's ID. @throws as the library does, or CallError for an answer of an unknown form */
  open(userId: string): Promise<string>;
  /** Asks Discord again next time. */
  forget(userId: string): void;
};

/** More are asked for again: Discord gives the channel that is there. */
const MAX_REMEMBERED = 10_000;
const MAX_TURN_MS = 25_000;

/** Calls of one route wait for each other in the library; none may wait for long. */
export const patience = (): AbortSignal => AbortSignal.timeout(MAX_TURN_MS);

export function createDmChannels(rest: REST): DmChannels {
  const byUser = new Map<string, string>();
  return {
    known: (userId) => byUser.get(userId) ?? null,
    async open(userId) {
      const channel = await rest.post(Routes.userChannels(), {
        body: { recipient_id: userId },
        signal: patience(),
      });
      const id = isRecord(channel) ? channel['id'] : null;
      // It becomes part of an address.
      if (typeof id !== 'string' || !/^\d{1,20}$/.test(id)) {
        throw new CallError('sent an answer of an unknown form', false);
      }
      if (byUser.size >= MAX_REMEMBERED) byUser.clear();
      byUser.set(userId, id);
      return id;
    },
    forget: (userId) => void byUser.delete(userId),
  };
}
