import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { isPopup } from '../../shared/popup/popup.ts';
import { navigate } from '../../shared/router/router.ts';
import { session } from '../../shared/session/session.ts';
import { isTyping } from '../../ui/isTyping.ts';
import { CHORD_MS, isPaletteKey, shortcutFor } from './shortcuts.ts';

const KeysDialog = lazy(() =>
  import('./ShortcutsDialog.tsx').then((code) => ({ default: code.ShortcutsDialog })),
);
const Palette = lazy(() => import('../palette/Palette.tsx').then((code) => ({ default: code.Palette })));

type Open = 'keys' | 'palette' | null;

/** Listens for the product's keys. A popup stays on its screen: only ? works there. */
export function Shortcuts() {
  const [open, setOpen] = useState<Open>(null);
  const listKeys = useCallback(() => setOpen('keys'), []);
  const close = useCallback(() => setOpen(null), []);
  useEffect(() => listenToKeys(setOpen), []);
  if (open === null) return null;
  return (
    <Suspense fallback={null}>
      {open === 'keys' ? <KeysDialog onClose={close} /> : <Palette onClose={close} listKeys={listKeys} />}
    </Suspense>
  );
}

function listenToKeys(show: (what: Open) => void): () => void {
  let chordAt = Number.NEGATIVE_INFINITY;
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (isPaletteKey(event)) {
      // The browser's own search must not open over a dialog either.
      event.preventDefault();
      if (!isPopup && !document.querySelector('[role=dialog]')) show('palette');
      return;
    }
    if (isTyping(event.target)) return;
    const meaning = shortcutFor(event, event.timeStamp - chordAt < CHORD_MS);
    chordAt = meaning.kind === 'chord' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (meaning.kind === 'help') show('keys');
    if (meaning.kind === 'go' && !isPopup) {
      navigate(session.peek().isAuthenticated || meaning.to === '/calls' ? meaning.to : '/login');
    }
    if (meaning.kind !== 'none') event.preventDefault();
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}
