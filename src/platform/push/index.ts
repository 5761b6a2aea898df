import type { Core } from '../../part.ts';
import { PUSH_SERVICES } from '../../subjects/devices/rules/device.ts';
import type { Sender } from '../chatClients/sender.ts';
import { type ActionTokens, createActionTokens } from './actionToken.ts';
import { createPushTargets } from './devices.ts';
import { createPushSenders } from './sender.ts';
import { keptVapidKeys } from './vapid.ts';

/** The push services of browsers: what sends to them, and what browsers and notifications need of this server. */
export type PushConnection = {
  senders: readonly Sender[];
  /** By which browsers subscribe, base64url. */
  publicKey: string;
  /** Signs and reads what the buttons of notifications may do. */
  tokens: ActionTokens;
};

/** Calls nobody by itself. @param secret of the server, for the buttons of notifications */
export function connectPush(
  core: Pick<Core, 'db' | 'clock' | 'http' | 'config'>,
  secret: string,
): PushConnection {
  const { db, clock, http, config } = core;
  const keys = keptVapidKeys(db);
  const tokens = createActionTokens(secret);
  const deps = { http, clock, keys, publicUrl: config.publicUrl, targetOf: createPushTargets(db), tokens };
  return { senders: createPushSenders(deps, PUSH_SERVICES), publicKey: keys.publicKey, tokens };
}
