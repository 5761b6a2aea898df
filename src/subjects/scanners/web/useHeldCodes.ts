import { useEffect, useState } from 'react';
import { createWatcher } from '../../../../web/live/watching.ts';

/** The codes of rows that are still shown although their stocks have left the scanner. */
export type HeldCodes = {
  /** Such a row is being drawn. */
  note(code: string): void;
  /** Watches those that were noted since it was called last, instead of those before. */
  watchNoted(): void;
  stop(): void;
};

function createHeldCodes(): HeldCodes {
  const watcher = createWatcher();
  let noted = new Set<string>();
  let watched = '';
  return {
    note: (code) => void noted.add(code),
    watchNoted: () => {
      const codes = [...noted].sort();
      noted = new Set();
      if (codes.join() === watched) return;
      watched = codes.join();
      watcher.set({ codes });
    },
    stop: watcher.stop,
  };
}

/** Keeps held rows up to date: whoever looks a row up that has left notes its code, and it is watched by name. */
export function useHeldCodes(): HeldCodes {
  const [held] = useState(createHeldCodes);
  useEffect(() => held.stop, [held]);
  return held;
}
