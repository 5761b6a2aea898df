import { type ReadonlySignal, signal } from '@preact/signals-react';
import { appAnswer } from '#admin/appInfo/answers/app.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '../api/client.ts';

export type AppInfo = Known<typeof appAnswer>;

const state = signal<AppInfo | null>(null);

/** What this installation tells everybody; null until it is known. */
export const appInfo: ReadonlySignal<AppInfo | null> = state;

/** Asks the server once. Without an answer the page works on: the donate link, the seed button and Summarise stay hidden. */
export async function loadAppInfo(): Promise<void> {
  try {
    state.value = await request('GET /api/app', { read: readerOf(appAnswer) });
  } catch (problem) {
    console.warn('What this installation offers could not be read.', problem);
  }
}
