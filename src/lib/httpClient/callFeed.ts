import type { HttpCall } from './client.ts';

export type CallListener = (call: HttpCall) => void;

export type CallFeed = {
  /** For the client's `onCall`. */
  tell: CallListener;
  /** Adds a listener, told of every call that ends from now on. */
  listen(listener: CallListener): void;
};

/**
 * Takes the calls of a client to anyone who counts them: the client is made before the parts are, because a market source is
 * made with it.
 */
export function createCallFeed(): CallFeed {
  const listeners: CallListener[] = [];
  return {
    tell: (call) => {
      for (const listener of listeners) listener(call);
    },
    listen: (listener) => void listeners.push(listener),
  };
}
