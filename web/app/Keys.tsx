import { lazy, Suspense, useEffect, useState } from 'react';
import { isPopup } from '../lib/popup.ts';
import { navigate } from '../lib/router.ts';
import { session } from '../lib/session.ts';
import { CHORD_MS, isTyping, shortcutFor } from '../lib/shortcuts.ts';

const KeysDialog = lazy(() => import('./KeysDialog.tsx').then((code) => ({ default: code.KeysDialog })));

/** Listens for the product's keys. A popup stays on its screen: only ? works there. */
export function Keys() {
  const [listed, setListed] = useState(false);
  useEffect(() => listenToKeys(() => setListed(true)), []);
  if (!listed) return null;
  return (
    <Suspense fallback={null}>
      <KeysDialog onClose={() => setListed(false)} />
    </Suspense>
  );
}

function listenToKeys(help: () => void): () => void {
  let chordAt = Number.NEGATIVE_INFINITY;
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const meaning = shortcutFor(event, event.timeStamp - chordAt < CHORD_MS);
    chordAt = meaning.kind === 'chord' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (meaning.kind === 'help') help();
    if (meaning.kind === 'go' && !isPopup) {
      navigate(session.peek().isAuthenticated || meaning.to === '/calls' ? meaning.to : '/login');
    }
    if (meaning.kind !== 'none') event.preventDefault();
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}
