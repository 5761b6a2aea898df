import { chordKey, navPath, ROUTES, TAB_ROUTES } from '../../router/routes.ts';

/**
 * The pressed letter or digit in lower case. If the layout types another script, or needs Shift for digits, the
 * physical key decides; Latin layouts such as Dvorak keep their letters.
 */
function pressedKey({ key, code, shiftKey }: KeyPress): string {
  const [, kind, place = ''] = /^(Key|Digit)(.)$/.exec(code) ?? [];
  if (kind === 'Digit' && !shiftKey) return place;
  const isForeign = key === 'Dead' || (key.length === 1 && key > '~');
  return (kind === 'Key' && isForeign ? place : key).toLowerCase();
}

export const CHORD_MS = 1500;

export const ADD_CALL_KEY = 'n';
export const ALERT_KEY = 'a';
export const CHART_KEY = 'c';
export const PANE_KEY = 'p';
export const WATCH_KEY = 'w';

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;
type Shortcut =
  | { kind: 'go'; to: string }
  | { kind: 'addCall' }
  | { kind: 'alert' }
  | { kind: 'pane' }
  | { kind: 'watch' }
  | { kind: 'chart' }
  | { kind: 'help' }
  | { kind: 'chord' }
  | { kind: 'none' };

/**
 * The shortcut of a key outside fields and dialogs: 1 to 5 switch scanners, g and a letter open a screen, n adds a
 * call, a an alert, w adds to the watchlist, c opens a chart, p shows or hides the pane, ? lists the keys. The route table contains the keys of screens.
 * @param chord whether g was pressed just before
 */
export function shortcutFor(press: KeyPress, chord: boolean): Shortcut {
  if (press.ctrlKey || press.metaKey || press.altKey) return { kind: 'none' };
  const pressed = pressedKey(press);
  const screen = chord ? ROUTES.find((one) => chordKey(one) === pressed) : undefined;
  if (screen) return { kind: 'go', to: navPath(screen) };
  if (pressed === '?' || pressed === '؟') return { kind: 'help' };
  if (pressed === 'g') return { kind: 'chord' };
  if (pressed === ADD_CALL_KEY) return { kind: 'addCall' };
  if (pressed === ALERT_KEY) return { kind: 'alert' };
  if (pressed === PANE_KEY) return { kind: 'pane' };
  if (pressed === WATCH_KEY) return { kind: 'watch' };
  if (pressed === CHART_KEY) return { kind: 'chart' };
  const scanner = TAB_ROUTES.find(({ tab }) => tab.key === pressed);
  return scanner ? { kind: 'go', to: scanner.path } : { kind: 'none' };
}

/** Ctrl+K, or Cmd+K on a Mac; it also works in a field. */
export const isPaletteKey = (press: KeyPress): boolean =>
  pressedKey(press) === 'k' && press.ctrlKey !== press.metaKey && !press.altKey;
