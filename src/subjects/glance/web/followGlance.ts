import { sayGlance, takeGlanceLine } from '#web/live/glanceLine.ts';
import type { GlanceAsk, GlanceTold } from '../rules/follower.ts';

type Listener = (told: GlanceTold | null) => void;

const say = (ask: GlanceAsk | null): void =>
  sayGlance({ type: 'glance', ask, script: document.documentElement.dataset['glance'] ?? '' });

/** Asks how the market stands as a whole, now and with each change, in the place of who asked before. Returns the stop function. */
export function followGlance(ask: GlanceAsk, hear: Listener): () => void {
  takeGlanceLine(hear);
  say(ask);
  return () => {
    const taking = takeGlanceLine(null);
    // Another part of the page may have asked since.
    if (taking === hear) say(null);
    else takeGlanceLine(taking);
  };
}
