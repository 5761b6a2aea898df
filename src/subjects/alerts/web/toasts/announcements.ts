import type { Scheduler } from '#lib/scheduler.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { triggerSentence, triggerTitle } from './triggerWords.ts';

/** Between two announcements, ms: at the open twenty alerts fire in one second. */
export const ANNOUNCE_EVERY_MS = 10_000;

const sentenceOf = (triggers: readonly AlertTrigger[], newest: AlertTrigger): string =>
  triggers.length === 1
    ? triggerSentence(newest)
    : `${triggers.length} alerts fired. The newest: ${triggerTitle(newest)}.`;

/**
 * What a screen reader says of alerts that fire: the first at once, those that follow within ten seconds in one sentence.
 * @param say takes the sentence; '' for nothing
 */
export function createAnnouncements(say: (sentence: string) => void, schedule: Scheduler) {
  let waiting: AlertTrigger[] = [];
  let cancel: (() => void) | null = null;
  function announce(): void {
    const newest = waiting.at(-1);
    cancel = newest ? schedule(ANNOUNCE_EVERY_MS, announce) : null;
    if (newest) say(sentenceOf(waiting, newest));
    waiting = [];
  }
  return {
    add(trigger: AlertTrigger): void {
      waiting.push(trigger);
      if (cancel === null) announce();
    },
    clear(): void {
      cancel?.();
      cancel = null;
      waiting = [];
      say('');
    },
  };
}
