import { signal } from '@preact/signals-react';
import { type ReactNode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import './SavedNote.css';

const SHOWN_MS = 2000;
/** As long as the transition in the style sheet. */
const FADE_MS = 400;

const saves = signal(0);
let host: HTMLElement | null = null;

/** Shows *Saved* in the corner of the page for two seconds. Called again meanwhile, it stays for two seconds more. */
export function showSavedNote(): void {
  saves.value += 1;
  if (host?.isConnected) return;
  host = document.createElement('div');
  document.body.append(host);
  createRoot(host).render(<SavedNote />);
}

/** Its live region is drawn empty first: one is read out when its text changes after it is there. */
function SavedNote(): ReactNode {
  const count = saves.value;
  const [phase, setPhase] = useState<'gone' | 'shown' | 'fading'>('gone');
  useEffect(() => {
    setPhase('shown');
    const fading = setTimeout(() => setPhase('fading'), SHOWN_MS);
    const gone = setTimeout(() => setPhase('gone'), SHOWN_MS + FADE_MS);
    return () => {
      clearTimeout(fading);
      clearTimeout(gone);
    };
  }, [count]);
  return (
    <div className="saved-note" data-shown={phase === 'shown' || undefined} aria-live="polite">
      {phase !== 'gone' && 'Saved'}
    </div>
  );
}
