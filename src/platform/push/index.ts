import type { App } from '#platform/app.ts';
import type { Sender } from '../chatClients/sender.ts';
import { type ActionTokens, createActionTokens } from './actionToken.ts';
import { createPushSenders, ServiceClocks } from './sender.ts';
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

/** Makes no request by itself. */
export function connectPush(app: App): PushConnection {
  const keys = keptVapidKeys(app.db);
  const tokens = createActionTokens(app.jwtSecret);
  const clocks = new ServiceClocks(app.clock);
  const senders = createPushSenders(app, clocks, keys, tokens);
  return { senders, publicKey: keys.publicKey, tokens, clockAhead: () => clocks.ahead() };
}

declare module '#platform/app.ts' {
  interface App {
    push: PushConnection;
  }
}
