import { effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { isRecord } from '../../src/lib/json.ts';
import { onStored, readStored, writeStored } from './storage.ts';

export type Theme = 'dark' | 'light';
export type Directions = 'green-red' | 'blue-orange' | 'monochrome';
export type Density = 'compact' | 'comfortable';
export type Preferences = { theme: Theme; directions: Directions; density: Density };

const KEY = 'bellbird.preferences';
const DEFAULTS: Preferences = { theme: 'dark', directions: 'green-red', density: 'compact' };
const CHOICES: { [K in keyof Preferences]: readonly Preferences[K][] } = {
  theme: ['dark', 'light'],
  directions: ['green-red', 'blue-orange', 'monochrome'],
  density: ['compact', 'comfortable'],
};

function accept(value: unknown): Preferences | null {
  if (!isRecord(value)) return null;
  const chosen = <K extends keyof Preferences>(name: K): Preferences[K] =>
    CHOICES[name].find((choice) => choice === value[name]) ?? DEFAULTS[name];
  return { theme: chosen('theme'), directions: chosen('directions'), density: chosen('density') };
}

const read = () => readStored(KEY, accept) ?? DEFAULTS;
const state = signal<Preferences>(read());

/** How this browser likes to see the product; shared by its windows, never sent to the server. */
export const preferences: ReadonlySignal<Preferences> = state;

/** Changes one or several choices here and in every window of this browser. */
export function prefer(choice: Partial<Preferences>): void {
  state.value = { ...state.peek(), ...choice };
  writeStored(KEY, state.peek());
}

/** Writes the choices onto <html>, where the style sheets look, and follows other windows. Returns the stop function. */
export function startPreferences(): () => void {
  const stopWriting = effect(function showPreferences() {
    Object.assign(document.documentElement.dataset, state.value);
  });
  const stopFollowing = onStored([KEY], () => {
    state.value = read();
  });
  return () => {
    stopWriting();
    stopFollowing();
  };
}
