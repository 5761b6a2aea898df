import { signal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

const SHOWN_MS = 2000;
const SENTENCE_SHOWN_MS = 5000;
const MAX_WORD = 12;
/** Equals the transition in the style sheet, ms. */
const FADE_MS = 400;
const ACTION_SHOWN_MS = 12_000;

export type SnackbarAction = { label: string; run(): void };

const phase = signal<'gone' | 'shown' | 'fading'>('gone');
const shown = signal<{ text: string; actions: readonly SnackbarAction[] }>({ text: '', actions: [] });
let host: HTMLElement | null = null;
let timers: ReturnType<typeof setTimeout>[] = [];

/** Shows a short message at the bottom of the page; another call extends it. */
export function showSnackbar(text: string, ...actions: readonly SnackbarAction[]): void {
  if (!host?.isConnected) {
    host = document.createElement('div');
    document.body.append(host);
    createRoot(host).render(<Snackbar />);
  }
  for (const timer of timers) clearTimeout(timer);
  const become = (next: 'gone' | 'shown' | 'fading', ms: number) =>
    setTimeout(() => {
      phase.value = next;
      shown.value = { text, actions };
    }, ms);
  const shownMs =
    actions.length > 0 ? ACTION_SHOWN_MS : text.length > MAX_WORD ? SENTENCE_SHOWN_MS : SHOWN_MS;
  // Delayed, because screen readers announce only changes of an existing live region.
  timers = [become('shown', 0), become('fading', shownMs), become('gone', shownMs + FADE_MS)];
}

/** Hides the message after its action, or before it would cover something new. */
export function endSnackbar(): void {
  for (const timer of timers) clearTimeout(timer);
  phase.value = 'gone';
}

function Snackbar(): ReactNode {
  const { text, actions } = shown.value;
  const isShown = phase.value === 'shown';
  const stay = () => showSnackbar(text, ...actions);
  return (
    <div
      className="snackbar"
      data-shown={isShown || undefined}
      data-action={(isShown && actions.length > 0) || undefined}
      aria-live="polite"
    >
      {phase.value !== 'gone' && text}
      {phase.value !== 'gone' &&
        actions.map(({ label, run }) => (
          <button
            key={label}
            type="button"
            className="tool"
            onFocus={stay}
            onPointerEnter={stay}
            onClick={() => {
              endSnackbar();
              run();
            }}
          >
            {label}
          </button>
        ))}
    </div>
  );
}
