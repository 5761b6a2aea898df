import { type ReadonlySignal, signal } from '@preact/signals-react';
import { alertPreferences, preferAlerts } from '../shared/alertPreferences.ts';

const isOpen = signal(false);

/** Whether the sound of alerts is being offered. */
export const soundOffer: ReadonlySignal<boolean> = isOpen;

/** An alert was made: the sound is offered once in this browser, unless it is on. */
export function offerSound(): void {
  const { sound, wasOffered } = alertPreferences.peek();
  if (sound || wasOffered) return;
  preferAlerts({ wasOffered: true });
  isOpen.value = true;
}

/** Ends the offer. @param sound whether it was taken */
export function answerSoundOffer(sound: boolean): void {
  isOpen.value = false;
  if (sound) preferAlerts({ sound });
}
