import { useEffect, useRef } from 'react';
import { dropKeptInput, type HeldForm, holdInput } from './interruption.ts';

/**
 * Keeps what is typed into a form for the next login, should the session end while it is open. The form begins with
 * `keptInput(name)`, which is dropped once it stands there.
 * @param typed what can be kept as JSON; undefined while nothing was typed
 */
export function useHeldInput(name: HeldForm, typed: unknown): void {
  const newest = useRef(typed);
  useEffect(() => {
    newest.current = typed;
  });
  useEffect(() => {
    dropKeptInput(name);
    return holdInput(name, () => newest.current);
  }, [name]);
}
