import { type ReadonlySignal, signal } from '@preact/signals-react';
import { isRecord } from '#lib/json.ts';
import { readChoice, readText } from '#lib/read.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';

/** How a session ended that nobody ended in this window: a logout in another one, or a refusal of the server. */
export type Cause = 'elsewhere' | 'expired';

/** The forms whose input outlives a session. */
export type HeldForm = 'call' | 'scan' | 'columns' | 'alerts' | 'broadcast';

/** What a window remembers of a session that was ended under it, for the next login of the same user. */
export type Interruption = {
  cause: Cause;
  /** See `userOf`. */
  user: string;
  /** The route that was shown, without '#'. */
  route: string;
  /** What was typed into open forms, by the form's name; never a password. */
  inputs: Readonly<Record<string, unknown>>;
};

const KEY = 'bellbird.interruption';
/** More than that is not kept, characters of JSON. */
const MAX_INPUT = 50_000;

/** Of the open forms: what is typed into each, undefined while that is nothing. */
const forms = new Map<HeldForm, () => unknown>();

const readCause = readChoice<Cause>(['elsewhere', 'expired']);

/**
 * Whose session a token is of: the user's id in it, which says nothing of rights. null for a token that can't be read;
 * nothing is kept for that one.
 */
export function userOf(token: string | null): string | null {
  try {
    const claims = atob((token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const parsed: unknown = JSON.parse(claims);
    return isRecord(parsed) && typeof parsed.uid === 'number' ? String(parsed.uid) : null;
  } catch {
    return null; // Another server's form of token.
  }
}

const build = (): string => document.documentElement.dataset.commit ?? '';

function readKept(kept: unknown): Interruption | null {
  if (!isRecord(kept)) return null;
  const [cause, user, route] = [readCause(kept.cause), readText(kept.user), readText(kept.route)];
  // Another version of the page may have had other forms.
  const inputs = isRecord(kept.inputs) && kept.build === build() ? kept.inputs : {};
  return cause && user && route ? { cause, user, route, inputs } : null;
}

const state = signal<Interruption | null>(readStored(KEY, readKept, 'window'));

/** What was interrupted in this window and not taken up again; null when nothing was. */
export const interruption: ReadonlySignal<Interruption | null> = state;

function write(next: Interruption | null): void {
  state.value = next;
  writeStored(KEY, next && { ...next, build: build() }, 'window');
}

/** Keeps what is shown and typed, as the session ends: before its screen goes. */
export function keepInterruption(cause: Cause, token: string | null, hash: string): void {
  const user = userOf(token);
  if (user === null) return write({ cause, user: '?', route: '/', inputs: {} });
  const typed = [...forms].map(([name, typedInto]) => [name, typedInto()] as const);
  const inputs = Object.fromEntries(typed.filter(([, value]) => value !== undefined));
  const isSmall = JSON.stringify(inputs).length <= MAX_INPUT;
  write({ cause, user, route: hash.replace(/^#/, '') || '/', inputs: isSmall ? inputs : {} });
}

/** Forgets it: somebody logged out here, or another user logged in. */
export const forgetInterruption = (): void => write(null);

/** Where a login with this token goes back to: where the same user was interrupted; null when it was somebody else. */
export function routeBack(token: string): string | null {
  const kept = state.peek();
  return kept !== null && kept.user === userOf(token) && kept.route !== '/' ? kept.route : null;
}

/** A session begins: what is kept is for its user only, and of that only what was typed. */
export function resume(token: string): void {
  const kept = state.peek();
  if (kept === null) return;
  const isSame = kept.user === userOf(token) && Object.keys(kept.inputs).length > 0;
  write(isSame ? kept : null);
}

/** Keeps what is typed into a form while that is open, should the session end. Returns the end of it. */
export function holdInput(name: HeldForm, typedInto: () => unknown): () => void {
  forms.set(name, typedInto);
  return () => {
    if (forms.get(name) === typedInto) forms.delete(name);
  };
}

/** What was typed into a form when its user was interrupted; undefined when nothing is kept. */
export const keptInput = (name: HeldForm): unknown => state.peek()?.inputs[name];

/** The form has it again. */
export function dropKeptInput(name: HeldForm): void {
  const kept = state.peek();
  if (kept === null || !(name in kept.inputs)) return;
  const { [name]: _, ...others } = kept.inputs;
  write(Object.keys(others).length > 0 ? { ...kept, inputs: others } : null);
}
