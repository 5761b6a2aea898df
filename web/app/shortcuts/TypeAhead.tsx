import { useEffect } from 'react';

/** What a key makes of a text; null for a key that makes nothing of it. */
function typedWith(text: string, key: string): string | null {
  if (key === 'Backspace') return text.slice(0, -1);
  return [...key].length === 1 ? text + key : null;
}

type TypeAheadProps = { change(next: (before: string) => string): void; onClose(): void };

/**
 * Takes what is typed while the code of the palette comes, until its box has the focus: nothing on the page must act on it.
 */
export function TypeAhead({ change, onClose }: TypeAheadProps) {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const press = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey || event.altKey;
      if (isCommand || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') onClose();
      else change((before) => typedWith(before, event.key) ?? before);
    };
    const focus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('[role=dialog]')) controller.abort();
    };
    window.addEventListener('keydown', press, { capture: true, signal });
    window.addEventListener('focusin', focus, { signal });
    return () => controller.abort();
  }, [change, onClose]);
  return null;
}
