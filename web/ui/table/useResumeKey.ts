import { useEffect } from 'react';
import { isTyping } from '../isTyping.ts';

/** The . key resumes the order of a paused table, unless something is being typed. */
export function useResumeKey(isOn: boolean, resume: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '.' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      resume();
    };
    // On the window: after the rows, in which the key counts as used.
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn, resume]);
}
