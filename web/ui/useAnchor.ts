import { useState } from 'react';

/** The button that opened a menu; null while it is closed. Closing returns the focus. */
export function useAnchor() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => {
    setAnchor(null);
    anchor?.focus({ preventScroll: true });
  };
  const open = ({ currentTarget }: { currentTarget: HTMLElement }) => setAnchor(currentTarget);
  return { anchor, open, close, leave: () => setAnchor(null) };
}
