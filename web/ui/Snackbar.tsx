import { signal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import './Snackbar.css';

/** A word is read at a glance; a sentence takes longer. */
const SHOWN_MS = 2000;
const SENTENCE_SHOWN_MS = 5000;
const MAX_WORD = 12;
/** As long as the transition in the style sheet. */
const FADE_MS = 400;

const phase = signal<'gone' | 'shown' | 'fading'>('gone');
const said = signal('');
let host: HTMLElement | null = null;
let timers: ReturnType<typeof setTimeout>[] = [];

/** Shows a few words at the foot of the page for a moment. Called again meanwhile, they stay for a moment more. */
export function showSnackbar(text: string): void {
  if (!host?.isConnected) {
    host = document.createElement('div');
    document.body.append(host);
    createRoot(host).render(<Snackbar />);
  }
  for (const timer of timers) clearTimeout(timer);
  const become = (next: 'gone' | 'shown' | 'fading', ms: number) =>
    setTimeout(() => {
      phase.value = next;
      said.value = text;
    }, ms);
  const shownMs = text.length > MAX_WORD ? SENTENCE_SHOWN_MS : SHOWN_MS;
  // Not at once: a live region is read out when its text changes after it is there.
  timers = [become('shown', 0), become('fading', shownMs), become('gone', shownMs + FADE_MS)];
}

function Snackbar(): ReactNode {
  return (
    <div className="snackbar" data-shown={phase.value === 'shown' || undefined} aria-live="polite">
      {phase.value !== 'gone' && said.value}
    </div>
  );
}
