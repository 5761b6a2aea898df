import { MESSAGES } from '#texts/messages.ts';
import { useCallback, useEffect, useState } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { AlertMe } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { stocks } from '../../live/market.ts';
import { isPopup } from '../../windows/popup.ts';
import {
  closePane,
  followStock,
  isDocked,
  lastRowStock,
  paneStock,
  showStock,
} from '../../windows/stockPane.ts';
import { currentHash, navigate, pathOf } from '../../router/navigate.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { requestCall } from '#subjects/calls/web/shared/callSignals.ts';
import { route, wayTo } from '../../router/router.ts';
import { LOGIN_PATH, NAV_ROUTES, navPath, needsLogin, routeAt, WATCHLIST_PATH } from '#web/router/routes.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { isTyping } from '#ui/isTyping.ts';
import { idOfRowOrPanel } from '#ui/table/rowFocus.ts';
import { ErrorBoundary } from '#web/shared/ErrorBoundary.tsx';
import { PartFailure } from '../PartFailure.tsx';
import { CHORD_MS, isPaletteKey, shortcutFor } from './shortcuts.ts';
import { late } from '#web/shared/lateStyles.ts';

/** What was typed for the palette, and whether Enter followed before its field had the focus. */
type Typing = { text: string; isEntered: boolean };

const NOTHING_TYPED: Typing = { text: '', isEntered: false };

function typedWith(before: Typing, key: string): Typing {
  const { text, isEntered } = before;
  if (isEntered) return before;
  if (key === 'Enter') return { text, isEntered: true };
  if (key === 'Backspace') return { text: text.slice(0, -1), isEntered };
  return [...key].length === 1 ? { text: text + key, isEntered } : before;
}

type TypeAheadProps = { change(next: (before: Typing) => Typing): void; onClose(): void };

/** Collects typing until the palette's field has the focus, so that nothing on the page reacts to it. */
function TypeAhead({ change, onClose }: TypeAheadProps) {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const press = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey || event.altKey;
      if (isCommand || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') onClose();
      else change((before) => typedWith(before, event.key));
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

const ShortcutsDialog = late(() => import('./ShortcutsDialog.tsx').then((code) => code.ShortcutsDialog));
const Palette = late(() => import('../palette/Palette.tsx').then((code) => code.Palette));

type Dialog = 'keys' | 'palette' | { alertOn: Stock };

/** Handles keyboard shortcuts. A popup stays on its screen: only ?, a, w, c and p work there. */
export function Shortcuts() {
  const [open, setOpen] = useState<Dialog | null>(null);
  const [typing, setTyping] = useState(NOTHING_TYPED);
  const listKeys = useCallback(() => setOpen('keys'), []);
  const close = useCallback(() => {
    setOpen(null);
    setTyping(NOTHING_TYPED);
  }, []);
  useEffect(() => listenToKeys(setOpen), []);
  if (open === null) return null;
  return (
    <ErrorBoundary resetKey={typeof open === 'string' ? open : 'alert'} fallback={() => <PartFailure />}>
      {typeof open === 'object' && <AlertMe row={open.alertOn} onClose={close} />}
      {open === 'palette' && <TypeAhead change={setTyping} onClose={close} />}
      {open === 'keys' && <ShortcutsDialog onClose={close} />}
      {open === 'palette' && (
        <Palette
          typed={typing.text}
          isEntered={typing.isEntered}
          onType={(text) => setTyping({ text, isEntered: false })}
          onClose={close}
          listKeys={listKeys}
        />
      )}
    </ErrorBoundary>
  );
}

function listenToKeys(show: (dialog: Dialog) => void): () => void {
  let chordAt = Number.NEGATIVE_INFINITY;
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (isPaletteKey(event)) {
      // Prevented over a dialog too, because the browser's own search must not open there.
      event.preventDefault();
      if (!isPopup && !document.querySelector('[role=dialog]')) show('palette');
      return;
    }
    if (isTyping(event.target)) return;
    const meaning = shortcutFor(event, event.timeStamp - chordAt < CHORD_MS);
    chordAt = meaning.kind === 'chord' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (meaning.kind === 'help') show('keys');
    if (meaning.kind === 'go' && !isPopup) openScreen(meaning.to);
    if (meaning.kind === 'addCall' && !isPopup) addCall(event.target);
    if (meaning.kind === 'alert') alertOnRow(event.target, (alertOn) => show({ alertOn }));
    if (meaning.kind === 'pane') togglePane(event.target);
    if (meaning.kind === 'watch') watchRow(event.target);
    if (meaning.kind === 'chart') chartRow(event.target);
    if (meaning.kind !== 'none') event.preventDefault();
  };
  window.addEventListener('keydown', press);
  window.addEventListener('focusin', leadCharts);
  return () => {
    window.removeEventListener('keydown', press);
    window.removeEventListener('focusin', leadCharts);
  };
}

/** Whether the screen's rows are stocks or announcements. The watchlist's other tabs list alerts. */
const hasStockRows = (): boolean => {
  const shown = route.peek();
  return (
    shown?.hasPane === true &&
    (shown.path !== WATCHLIST_PATH || pathOf(currentHash.peek()) === WATCHLIST_PATH)
  );
};

/** The code of the focused row. The id of an announcement's row begins with it. */
const rowStock = (target: EventTarget | null): string | null =>
  (hasStockRows() && target instanceof Element && idOfRowOrPanel(target)?.split(' ')[0]) || null;

/** The stock that a key means: the one in the pane, otherwise that of the focused row. */
const stockAt = (target: EventTarget | null): string | null =>
  hasStockRows() ? (paneStock.peek() ?? rowStock(target)) : null;

const NO_ROW = 'Go to a row first, with ↓ or j';

/** Shows the focused row's stock in the pane and in the chart windows of the group. */
function leadCharts({ target }: FocusEvent): void {
  const code = rowStock(target);
  if (code === null) return;
  followStock(code);
  import('#web/windows/linkedWindows.ts').then(
    ({ chooseStock }) => chooseStock(code),
    // Loading fails while offline; the next row tries again.
    () => undefined,
  );
}

/** Opens the chart of the focused row. Without one, explains how to focus a row. */
function chartRow(target: EventTarget | null): void {
  if (!hasStockRows()) return;
  const code = stockAt(target);
  if (code === null) return showBriefly(NO_ROW);
  import('#web/windows/openChart.ts').then(
    ({ openChart }) => openChart(code),
    () => showBriefly(`The chart of ${code} could not be loaded. Try again once you are back online.`),
  );
}

/** Shows the pane for the focused row's stock, or closes it. */
function togglePane(target: EventTarget | null): void {
  if (!hasStockRows()) return;
  if (paneStock.peek() !== null) return closePane();
  const code = rowStock(target) ?? lastRowStock.peek();
  if (code === null) showBriefly(NO_ROW);
  else showStock(code);
}

/**
 * Opens the form of a call: in the pane for the focused row's stock, otherwise on the calls page. Visitors cannot add
 * calls.
 */
function addCall(target: EventTarget | null): void {
  if (!session.peek().isAuthenticated) return;
  const code = stockAt(target);
  if (code === null) requestCall(null);
  else showStock(code, 'call');
}

/** Opens a new alert on the focused row's stock: in the pane, otherwise in a dialog. */
function alertOnRow(target: EventTarget | null, open: (stock: Stock) => void): void {
  if (!session.peek().isAuthenticated || !hasStockRows()) return;
  const code = stockAt(target);
  if (code === null) return showBriefly(NO_ROW);
  if (isDocked()) return showStock(code, 'alert');
  const stock = stocks.peek().get(code);
  if (stock) open(stock);
  else showBriefly(`${code} is not in the live list`);
}

/** Adds the focused row's stock to the watchlist. Without a row, explains how to focus one. */
function watchRow(target: EventTarget | null): void {
  if (!session.peek().isAuthenticated || !hasStockRows()) return;
  const code = stockAt(target);
  if (code === null) return showBriefly(NO_ROW);
  import('#subjects/alerts/web/shared/watchlists.ts').then(
    ({ addToWatchlist }) => addToWatchlist(code),
    () => showBriefly(`${MESSAGES.watchlist.add} ${code}`),
  );
}

/** Opens a screen. Like the navigation, it redirects visitors to the login. */
function openScreen(to: string): void {
  const route = routeAt(to);
  const item = NAV_ROUTES.find((one) => navPath(one) === to);
  navigate(route && needsLogin(route, session.peek().accessLevel) ? LOGIN_PATH : item ? wayTo(item) : to);
}
