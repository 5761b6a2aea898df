import type { ToWindow } from './protocol.ts';
import type { Timer } from './reconnectingSource.ts';

/** Takes messages for one window. */
export type Port = (message: ToWindow) => void;

export const ASK_EVERY_MS = 30_000;
const UNANSWERED_LIMIT = 3;

export type PortEvents = {
  firstCame: () => void;
  lastLeft: () => void;
  /** A window came, or came back. */
  welcome: (port: Port) => void;
};

export type Ports = {
  add(port: Port): void;
  drop(port: Port): void;
  /** A window spoke; one that was forgotten is taken in again. */
  heard(port: Port): void;
  toAll(message: ToWindow): void;
  all(): Port[];
  /** Whether a window is being served. */
  serves(port: Port): boolean;
  count(): number;
};

/**
 * The windows being served. A message port does not tell that its window was killed or frozen, so windows are
 * asked now and then; one that stays silent is forgotten, and taken in again when it speaks.
 */
export function createPorts(every: Timer, on: PortEvents): Ports {
  const unanswered = new Map<Port, number>();
  let stopAsking: (() => void) | null = null;

  const drop = (port: Port) => {
    if (!unanswered.delete(port) || unanswered.size > 0) return;
    stopAsking?.();
    stopAsking = null;
    on.lastLeft();
  };
  const add = (port: Port) => {
    unanswered.set(port, 0);
    if (unanswered.size === 1) {
      stopAsking = every(ASK_EVERY_MS, () => ask(unanswered, drop));
      on.firstCame();
    }
    on.welcome(port);
  };
  return {
    add,
    drop,
    heard: (port) => {
      if (unanswered.has(port)) unanswered.set(port, 0);
      else add(port);
    },
    toAll: (message) => {
      for (const port of unanswered.keys()) port(message);
    },
    all: () => [...unanswered.keys()],
    serves: (port) => unanswered.has(port),
    count: () => unanswered.size,
  };
}

/** Asks every window, and drops those that left several questions unanswered. */
function ask(unanswered: Map<Port, number>, drop: (port: Port) => void): void {
  for (const [port, times] of [...unanswered]) {
    if (times >= UNANSWERED_LIMIT) drop(port);
    else {
      unanswered.set(port, times + 1);
      port({ type: 'ask' });
    }
  }
}
