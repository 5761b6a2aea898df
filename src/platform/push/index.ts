import type { App } from '#platform/app.ts';
import { PUSH_SERVICES } from './rules/pushService.ts';
import type { Sender } from '../chatClients/sender.ts';
import { type ActionTokens, createActionTokens } from './actionToken.ts';
import { createPushTargets } from './devices.ts';
import { createPushSenders } from './sender.ts';
import { ServiceClocks } from './serviceClocks.ts';
import { keptVapidKeys } from './vapid.ts';

/** The push services of browsers: what sends to them, and what browsers and notifications need of this server. */
export type PushConnection = {
  senders: readonly Sender[];
  /** By which browsers subscribe, base64url. */
  publicKey: string;
  /** Signs and reads what the buttons of notifications may do. */
  tokens: ActionTokens;
  /** How far this server's clock is ahead of the services' that answered, ms. */
  clockAhead(): number[];
};

/** Calls nobody by itself.  */
export function connectPush(app: App): PushConnection {
  const { db, clock, http, config } = app;
  const keys = keptVapidKeys(db);
  const tokens = createActionTokens(app.jwtSecret);
  const clocks = new ServiceClocks(clock);
  const addresses = { publicUrl: config.publicUrl, targetOf: createPushTargets(db) };
  const senders = createPushSenders({ http, clock, clocks, keys, tokens, ...addresses }, PUSH_SERVICES);
  return { senders, publicKey: keys.publicKey, tokens, clockAhead: () => clocks.ahead() };
}

declare module '#platform/app.ts' {
  interface App {
    push: PushConnection;
  }
}
