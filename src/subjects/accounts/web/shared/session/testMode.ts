import { type ReadonlySignal, signal } from '@preact/signals-react';
import { api, unwrap } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { testStatusAnswer } from '#admin/testMode/answers/testMode.ts';

const state = signal(false);

/** True when the server said that demo data may be seeded. */
export const testMode: ReadonlySignal<boolean> = state;

/** Asks the server. Without an answer it is not test mode. */
export async function loadTestMode(): Promise<void> {
  try {
    state.value = (await unwrap(api.test.status.get(), readerOf(testStatusAnswer))).test;
  } catch (problem) {
    state.value = false;
    console.warn('Whether this is test mode could not be read.', problem);
  }
}
