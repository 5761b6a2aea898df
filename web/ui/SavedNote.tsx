import { signal } from '@preact/signals-react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import './SavedNote.css';

const SHOWN_MS = 2000;
/** As long as the transition in the style sheet. */
const FADE_MS = 400;

const phase = signal<'gone' | 'shown' | 'fading'>('gone');
let host: HTMLElement | null = null;
let timers: ReturnType<typeof setTimeout>[] = [];

/** Shows *Saved* at the foot of the page for two seconds. Called again meanwhile, it stays for two seconds more. */
export function showSavedNote(): void {
  if (!host?.isConnected) {
    host = document.createElement('div');
    document.body.append(host);
    createRoot(host).render(<SavedNote />);
  }
  for (const timer of timers) clearTimeout(timer);
  const become = (next: 'gone' | 'shown' | 'fading', ms: number) =>
    setTimeout(() => {
      phase.value = next;
    }, ms);
  // Not at once: a live region is read out when its text changes after it is there.
  timers = [become('shown', 0), become('fading', SHOWN_MS), become('gone', SHOWN_MS + FADE_MS)];
}

function SavedNote(): ReactNode {
  return (
    <div className="saved-note" data-shown={phase.value === 'shown' || undefined} aria-live="polite">
      {phase.value !== 'gone' && 'Saved'}
    </div>
  );
}
