import type { GlanceTold } from '#subjects/glance/rules/follower.ts';
import type { GlanceWord, Send } from './stream/protocol.ts';

type Listener = (told: GlanceTold | null) => void;

let send: Send | null = null;
let listener: Listener | null = null;

/** Gives the way to the holder of the stream; null when this window has let go of it. */
export function tellGlanceLine(next: Send | null): void {
  send = next;
}

/** Passes on how the market stands as a whole; null when the code of that did not come. */
export const hearGlance: Listener = (told) => listener?.(told);

/** Takes what is said of the market as a whole from now on; null takes nothing. @returns who took it before */
export function takeGlanceLine(next: Listener | null): Listener | null {
  const before = listener;
  listener = next;
  return before;
}

/** Says what this window wants to know of it. */
export const sayGlance = (word: GlanceWord): void => send?.(word);
