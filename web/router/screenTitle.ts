import { signal } from '@preact/signals-react';
import { useEffect } from 'react';

/** What the window's title calls the page that is shown, where the route's own title does not do; else null. */
export const screenTitle = signal<string | null>(null);

/** Names the page in the window's title while it is shown. @param title null while it has no name yet */
export function useScreenTitle(title: string | null): void {
  useEffect(() => {
    screenTitle.value = title;
    return () => {
      screenTitle.value = null;
    };
  }, [title]);
}
