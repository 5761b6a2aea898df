import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { isRecord } from '#lib/json.ts';
import { onStored, readStored, writeStored } from './storage.ts';

export type Theme = 'dark' | 'light';
export type Directions = 'green-red' | 'blue-orange' | 'monochrome';
export type Density = 'compact' | 'comfortable';
export type ThemeChoice = Theme | 'system';
export type Preferences = { theme: ThemeChoice; directions: Directions; density: Density };

const KEY = 'bellbird.preferences';
const DEFAULTS: Preferences = { theme: 'system', directions: 'green-red', density: 'compact' };
const CHOICES: { [K in keyof Preferences]: readonly Preferences[K][] } = {
  theme: ['system', 'dark', 'light'],
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

/** Stored in this browser, shared by its windows, never sent to the server. */
export const preferences: ReadonlySignal<Preferences> = state;

const systemTheme = signal<Theme>('dark');

/** The chosen theme, or the system's. */
export const shownTheme: ReadonlySignal<Theme> = computed(() => {
  const { theme } = state.value;
  return theme === 'system' ? systemTheme.value : theme;
});

export function prefer(choice: Partial<Preferences>): void {
  state.value = { ...state.peek(), ...choice };
  writeStored(KEY, state.peek());
}

/**
 * Writes the preferences to <html> for the style sheets; follows the system and other windows. Returns the stop
 * function.
 */
export function startPreferences(): () => void {
  const lightSystem = window.matchMedia('(prefers-color-scheme: light)');
  const followSystem = () => {
    systemTheme.value = lightSystem.matches ? 'light' : 'dark';
  };
  followSystem();
  lightSystem.addEventListener('change', followSystem);
  const stopWriting = effect(function showPreferences() {
    Object.assign(document.documentElement.dataset, { ...state.value, theme: shownTheme.value });
  });
  const stopFollowing = onStored([KEY], () => {
    state.value = read();
  });
  return () => {
    stopWriting();
    stopFollowing();
    lightSystem.removeEventListener('change', followSystem);
  };
}

export const otherTheme: ReadonlySignal<Theme> = computed(() =>
  shownTheme.value === 'dark' ? 'light' : 'dark',
);

export const themeSwitchLabel: ReadonlySignal<string> = computed(
  () => `Switch to the ${otherTheme.value} theme`,
);

export function switchTheme(): void {
  prefer({ theme: otherTheme.peek() });
}
