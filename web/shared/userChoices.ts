import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { onStored, readStored, writeStored } from './storage.ts';

/** What the signed-in user chose in this browser, shared by its windows. */
export type UserChoices<T> = {
  chosen: ReadonlySignal<T>;
  /** Changes some of the choices in every window of this browser. */
  choose(change: Partial<T>): void;
  /** Follows what other windows choose. Returns the stop function. */
  follow(): () => void;
};

/**
 * Choices that are kept in this browser, each user's own.
 * @param accept gives what was kept in its form, null for what is not of it
 * @param defaults what counts until something is chosen
 * @param forGuests whether they are kept of who is not signed in, too; a guest's choices are lost otherwise
 */
export function createUserChoices<T extends object>(
  name: string,
  { accept, defaults, forGuests }: { accept(value: unknown): T | null; defaults: T; forGuests: boolean },
): UserChoices<T> {
  /** Counts the changes, here and in other windows. */
  const changes = signal(0);
  const key = computed(() => {
    const user = userOf(session.value.accessToken) ?? (forGuests ? 'guest' : null);
    return user === null ? null : `bellbird.${name}.${user}`;
  });
  const chosen = computed(() => {
    void changes.value;
    return (key.value === null ? null : readStored(key.value, accept)) ?? defaults;
  });
  const reread = (): void => {
    changes.value += 1;
  };
  return {
    chosen,
    choose(change) {
      const kept = key.peek();
      if (kept !== null) writeStored(kept, { ...chosen.peek(), ...change });
      reread();
    },
    follow() {
      let stop = (): void => undefined;
      const stopEffect = effect(function followKey() {
        stop();
        stop = key.value === null ? () => undefined : onStored([key.value], reread);
      });
      return () => {
        stopEffect();
        stop();
      };
    },
  };
}
