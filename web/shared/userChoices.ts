import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { onStored, readStored, writeStored } from './storage.ts';

/** A signed-in user's choices in this browser, shared by its windows. */
export type UserChoices<T> = {
  chosen: ReadonlySignal<T>;
  choose(change: Partial<T>): void;
  follow(): () => void;
};

/**
 * Choices that are stored in this browser per user.
 * @param accept converts the stored value; null rejects it
 * @param defaults used until the user chooses
 * @param forGuests whether a guest's choices are stored too
 */
export function createUserChoices<T extends object>(
  name: string,
  { accept, defaults, forGuests }: { accept(value: unknown): T | null; defaults: T; forGuests: boolean },
): UserChoices<T> {
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
