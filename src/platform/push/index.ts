import type { App } from '#platform/app.ts';
import type { Sender } from '../chatClients/sender.ts';
import { type ActionTokens, createActionTokens } from './actionToken.ts';
import { createPushSenders, ServiceClocks } from './sender.ts';
import { keptVapidKeys } from './vapid.ts';

export type PushConnection = {
  senders: readonly Sender[];
  /** Browsers subscribe with it, base64url. */
  publicKey: string;
  tokens: ActionTokens;
  /** How far this server's clock is ahead of each service's, ms. */
  clockAhead(): number[];
};

/** Makes no request yet. */
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
