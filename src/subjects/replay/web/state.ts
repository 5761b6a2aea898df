import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { ReplayInfo } from '#market/rules/stream.ts';
import { api, messageOf, unwrap } from '#web/api/client.ts';
import { meta } from '#web/live/market.ts';

/** The recording that is played, as the server told last; null where none is. */
export const replay: ReadonlySignal<ReplayInfo | null> = computed(() => meta.value?.replay ?? null);

/** Why the last change was not made, a sentence; null when it was. */
export const problem = signal<string | null>(null);

const NOT_DONE = 'That could not be done. Try again.';

async function change(made: Promise<unknown>): Promise<void> {
  try {
    await made;
    problem.value = null;
  } catch (refused) {
    problem.value = messageOf(refused, NOT_DONE);
  }
}

export const setPaused = (paused: boolean): Promise<void> =>
  change(unwrap(api.replay.pause.post({ paused })));
export const setSpeed = (speed: number): Promise<void> => change(unwrap(api.replay.speed.post({ speed })));
/** @param time epoch ms on the market's clock */
export const jumpTo = (time: number): Promise<void> => change(unwrap(api.replay.jump.post({ time })));
