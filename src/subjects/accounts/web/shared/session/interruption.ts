import { type ReadonlySignal, signal } from '@preact/signals-react';
import { isRecord } from '#lib/json.ts';
import { readChoice, readText } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { useEffect, useRef } from 'react';

/** `elsewhere`: a logout in another window. `expired`: the server refused the session. */
export type Cause = 'elsewhere' | 'expired';

/** Forms whose input survives the end of a session. */
type HeldForm = 'call' | 'scan' | 'columns' | 'alerts' | 'broadcast';

/** An ended session, kept in this window for the next login of the same user. */
export type Interruption = {
  cause: Cause;
  /** User id, as returned by `userOf`. */
  user: string;
  /** Path without '#'. */
  route: string;
  /** Input of open forms by name, never a password. */
  inputs: Readonly<Record<string, unknown>>;
};

const KEY = 'bellbird.interruption';
/** Limit in characters of JSON. */
const MAX_INPUT = 50_000;

/** Functions that return the input of each open form; undefined for no input. */
const forms = new Map<HeldForm, () => unknown>();

const readCause = readChoice<Cause>(['elsewhere', 'expired']);

/** The user id in a token, which is not verified here. Null if the token cannot be read. */
export function userOf(token: string | null): string | null {
  try {
    const claims = atob((token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const parsed: unknown = JSON.parse(claims);
    return isRecord(parsed) && typeof parsed.uid === 'number' ? String(parsed.uid) : null;
  } catch {
    return null; // The token has the format of another server.
  }
}

const build = (): string => document.documentElement.dataset.commit ?? '';

function readKept(kept: unknown): Interruption | null {
  if (!isRecord(kept)) return null;
  const [cause, user, route] = [readCause(kept.cause), readText(kept.user), readText(kept.route)];
  // Another version of the page may have other forms.
  const inputs = isRecord(kept.inputs) && kept.build === build() ? kept.inputs : {};
  return cause && user && route ? { cause, user, route, inputs } : null;
}

const state = signal<Interruption | null>(readStored(KEY, readKept, 'window'));

/** The interruption to resume; null if there is none. */
export const interruption: ReadonlySignal<Interruption | null> = state;

function write(next: Interruption | null): void {
  state.value = next;
  writeStored(KEY, next && { ...next, build: build() }, 'window');
}

/** Keeps the route and the input of open forms. Call it before the screen disappears. */
export function keepInterruption(cause: Cause, token: string | null, hash: string): void {
  const user = userOf(token);
  if (user === null) return write({ cause, user: '?', route: '/', inputs: {} });
  const typed = [...forms].map(([name, typedInto]) => [name, typedInto()] as const);
  const inputs = Object.fromEntries(typed.filter(([, value]) => value !== undefined));
  const isSmall = JSON.stringify(inputs).length <= MAX_INPUT;
  write({ cause, user, route: hash.replace(/^#/, '') || '/', inputs: isSmall ? inputs : {} });
}

export const forgetInterruption = (): void => write(null);

/** The route where the same user's session ended; null for another user. */
export function routeBack(token: string): string | null {
  const kept = state.peek();
  return kept !== null && kept.user === userOf(token) && kept.route !== '/' ? kept.route : null;
}

/** Call it when a session starts: keeps the input for the same user, and drops everything else. */
export function resume(token: string): void {
  const kept = state.peek();
  if (kept === null) return;
  const isSame = kept.user === userOf(token) && Object.keys(kept.inputs).length > 0;
  write(isSame ? kept : null);
}

/** Registers an open form in case the session ends. Returns the stop function. */
export function holdInput(name: HeldForm, typedInto: () => unknown): () => void {
  forms.set(name, typedInto);
  return () => {
    if (forms.get(name) === typedInto) forms.delete(name);
  };
}

/** The kept input of a form; undefined if there is none. */
export const keptInput = (name: HeldForm): unknown => state.peek()?.inputs[name];

export function dropKeptInput(name: HeldForm): void {
  const kept = state.peek();
  if (kept === null || !(name in kept.inputs)) return;
  const { [name]: _, ...others } = kept.inputs;
  write(Object.keys(others).length > 0 ? { ...kept, inputs: others } : null);
}

/**
 * Keeps a form's input for the next login in case the session ends. The form starts with `keptInput(name)`, which is
 * then dropped.
 * @param typed serialisable input; undefined for none
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
