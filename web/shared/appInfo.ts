import { type ReadonlySignal, signal } from '@preact/signals-react';
import { appAnswer } from '#admin/appInfo/answers/app.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '../api/client.ts';

/** The product in one sentence, for visitors. */
export const ABOUT = 'Bellbird shows live which ASX stocks gap up before the open and move during the day.';

export type AppInfo = Known<typeof appAnswer>;

const state = signal<AppInfo | null>(null);

/** Public information about this installation; null until loaded. */
export const appInfo: ReadonlySignal<AppInfo | null> = state;

/** Loads it. Without an answer, the donate link, the seed button and Summarise stay hidden. */
export async function loadAppInfo(): Promise<void> {
  try {
    state.value = await request('GET /api/app', { read: readerOf(appAnswer) });
  } catch (problem) {
    console.warn('The server information could not be loaded.', problem);
  }
}
