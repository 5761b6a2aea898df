import { SCANNER_PATHS } from '../../shared/router/routes.ts';

/** g, then a letter, goes to a screen. */
export const GO_TO = [
  { key: 's', to: '/scanners', label: 'Scanners' },
  { key: 'f', to: '/fx-news', label: 'FX News' },
  { key: 'c', to: '/calls', label: 'Calls' },
  { key: 'w', to: '/watchlist', label: 'Watchlist & Alerts' },
  { key: 'e', to: '/settings', label: 'Settings' },
  { key: 'a', to: '/admin', label: 'Admin' },
] as const;

/** A g that is followed by nothing is forgotten after this time. */
export const CHORD_MS = 1500;

export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;
export type Shortcut = { kind: 'go'; to: string } | { kind: 'help' } | { kind: 'chord' } | { kind: 'none' };

/**
 * What a key press means outside text boxes and dialogs: 1 to 5 switch scanners, g and a letter go to a
 * screen, ? lists the keys.
 * @param chord whether g was pressed just before
 */
export function shortcutFor(press: KeyPress, chord: boolean): Shortcut {
  if (press.ctrlKey || press.metaKey || press.altKey) return { kind: 'none' };
  if (chord) {
    const target = GO_TO.find(({ key }) => key === press.key.toLowerCase());
    if (target) return { kind: 'go', to: target.to };
  }
  if (press.key === '?') return { kind: 'help' };
  if (press.key === 'g') return { kind: 'chord' };
  const scanner = /^[1-5]$/.test(press.key) ? SCANNER_PATHS[Number(press.key) - 1] : undefined;
  return scanner ? { kind: 'go', to: scanner } : { kind: 'none' };
}

/** Ctrl+K, or Cmd+K on a Mac: also from a text box. */
export const isPaletteKey = ({ key, ctrlKey, metaKey, altKey }: KeyPress): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey;
