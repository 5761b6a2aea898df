import type { ToWindow } from './protocol.ts';

export type Port = (message: ToWindow) => void;
export type Every = (ms: number, run: () => void) => () => void;

export const ASK_EVERY_MS = 30_000;
const UNANSWERED_LIMIT = 3;

/**
 * The windows being served. A message port does not tell that its window was killed or frozen, so windows are
 * asked now and then; one that stays silent is forgotten, and taken in again when it speaks.
 */
export function createPorts(
  every: Every,
  on: { firstCame: () => void; lastLeft: () => void; welcome: (port: Port) => void },
) {
  const unanswered = new Map<Port, number>();
  let stopAsking: (() => void) | null = null;

  const drop = (port: Port) => {
    if (!unanswered.delete(port) || unanswered.size > 0) return;
    stopAsking?.();
    stopAsking = null;
    on.lastLeft();
  };
  const ask = () => {
    for (const [port, times] of [...unanswered]) {
      if (times >= UNANSWERED_LIMIT) drop(port);
      else {
        unanswered.set(port, times + 1);
        port({ type: 'ask' });
      }
    }
  };
  const add = (port: Port) => {
    unanswered.set(port, 0);
    if (unanswered.size === 1) {
      stopAsking = every(ASK_EVERY_MS, ask);
      on.firstCame();
    }
    on.welcome(port);
  };
  return {
    add,
    drop,
    heard: (port: Port) => {
      if (unanswered.has(port)) unanswered.set(port, 0);
      else add(port);
    },
    toAll: (message: ToWindow) => {
      for (const port of unanswered.keys()) port(message);
    },
    count: () => unanswered.size,
  };
}
