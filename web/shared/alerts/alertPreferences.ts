import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { isRecord } from '../../../src/lib/json.ts';
import { readBoolean } from '../../../src/lib/read.ts';
import { userOf } from '../session/interruption.ts';
import { session } from '../session/session.ts';
import { onStored, readStored, writeStored } from '../storage.ts';

/** How an alert makes itself known in this browser, besides on the page. */
export type AlertPreferences = {
  sound: boolean;
  desktop: boolean;
  /** The sound was offered once already. */
  wasOffered?: boolean;
};

const NEITHER: AlertPreferences = { sound: false, desktop: false };

/** Counts the changes, here and in other windows. */
const changes = signal(0);

const key = computed(() => {
  const user = userOf(session.value.accessToken);
  return user === null ? null : `bellbird.alertPreferences.${user}`;
});

function accept(value: unknown): AlertPreferences | null {
  if (!isRecord(value)) return null;
  return {
    sound: readBoolean(value.sound) ?? false,
    desktop: readBoolean(value.desktop) ?? false,
    wasOffered: readBoolean(value.wasOffered) ?? false,
  };
}

/** What the signed-in user chose; kept in this browser, shared by its windows. */
export const alertPreferences: ReadonlySignal<AlertPreferences> = computed(() => {
  void changes.value;
  return (key.value === null ? null : readStored(key.value, accept)) ?? NEITHER;
});

const reread = (): void => {
  changes.value += 1;
};

/** Changes one or both choices in every window of this browser. */
export function preferAlerts(choice: Partial<AlertPreferences>): void {
  const kept = key.peek();
  if (kept !== null) writeStored(kept, { ...alertPreferences.peek(), ...choice });
  reread();
}

/** Follows what other windows choose. Returns the stop function. */
export function followAlertPreferences(): () => void {
  let stop = (): void => undefined;
  const stopEffect = effect(function followKey() {
    stop();
    stop = key.value === null ? () => undefined : onStored([key.value], reread);
  });
  return () => {
    stopEffect();
    stop();
  };
}
