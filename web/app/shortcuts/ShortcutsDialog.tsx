import { isPopup } from '../../windows/popup.ts';
import { currentHash, pageOf } from '../../router/navigate.ts';
import { route } from '../../router/router.ts';
import {
  ANNOUNCEMENTS_PATH,
  CALENDAR_PATH,
  CALLS_PATH,
  CHART_PATH,
  chordKey,
  isOpenTo,
  navLabel,
  needsLogin,
  type Route,
  ROUTES,
  TAB_ROUTES,
  WATCHLIST_PATH,
} from '#web/router/routes.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { startTour } from '#web/shared/tour.ts';
import { ADD_CALL_KEY, ALERT_KEY, CHART_KEY, PANE_KEY, WATCH_KEY } from './shortcuts.ts';

type Row = { keys: readonly string[]; does: string };

const MOVES: readonly Row[] = [
  { keys: ['↓', 'j'], does: 'Next row' },
  { keys: ['↑', 'k'], does: 'Previous row' },
  { keys: ['.'], does: 'Resume sorting' },
];
const ROW_MENU: Row = {
  keys: ['Shift', 'F10'],
  does: 'Open the row’s menu, like a right-click',
};
const STOCK: readonly Row[] = [
  { keys: [ALERT_KEY], does: 'Set an alert on the row’s stock' },
  { keys: [CHART_KEY], does: 'Open the row’s chart in a window' },
  { keys: [PANE_KEY], does: 'Show or hide the pane of the row’s stock; Esc closes it' },
];
const SCANNER_TABLE: readonly Row[] = [
  { keys: ['/'], does: 'Filter the table; Enter or ↓ moves to its rows' },
  ...MOVES,
  { keys: ['Enter'], does: 'Show or hide the row’s chart and news' },
  ROW_MENU,
  ...STOCK,
  { keys: [WATCH_KEY], does: 'Add the row’s symbol to your watchlist' },
];
const WATCHLIST_TABLE: readonly Row[] = [
  { keys: ['/'], does: 'Add a symbol' },
  ...MOVES,
  { keys: ['Enter'], does: 'Show or hide the row’s alerts' },
  ROW_MENU,
  ...STOCK,
  { keys: ['Esc'], does: 'Leave the alert editor' },
];
const ANNOUNCEMENTS_TABLE: readonly Row[] = [
  { keys: ['/'], does: 'Search the table; Enter or ↓ moves to its rows' },
  ...MOVES,
  { keys: ['Enter'], does: 'Show the row’s stock' },
  ...STOCK,
];
const TRIGGERS_TABLE: readonly Row[] = [
  { keys: ['/'], does: 'Search the table; Enter or ↓ moves to its rows' },
  ...MOVES,
  { keys: ['Enter'], does: 'Open the row’s alert' },
  { keys: ['←', '→'], does: 'Change the tab, on a tab' },
];
const ALERTS_TABLE: readonly Row[] = [
  ...TRIGGERS_TABLE,
  { keys: ['Space'], does: 'Select the row, with Shift a range' },
  { keys: ['Ctrl', 'A'], does: 'Select all rows shown (⌘ A on a Mac)' },
];
const WATCH_TABLES: Readonly<Record<string, readonly Row[]>> = {
  alerts: ALERTS_TABLE,
  triggers: TRIGGERS_TABLE,
};
const CHART_KEYS: readonly Row[] = [
  { keys: ['/'], does: 'Choose another symbol' },
  { keys: ['←', '→'], does: 'Previous or next bar in the chart' },
  { keys: ['↑', '↓'], does: 'Change the chart’s timeframe' },
  { keys: ['h'], does: 'Add a level at the crosshair' },
];
const CALLS_TABLE: readonly Row[] = [...MOVES, { keys: ['Enter'], does: 'Show or hide the call’s details' }];
const CALENDAR_TABLE: readonly Row[] = [
  { keys: ['/'], does: 'Choose the time zone' },
  { keys: ['←', '→'], does: 'Change the day, on a day’s tab' },
  ...MOVES.slice(0, 2),
  { keys: ['Enter'], does: 'Show or hide the event’s details and reminders' },
];
const PALETTE: Row = { keys: ['Ctrl', 'K'], does: 'Go to a symbol, screen or action (⌘ K on a Mac)' };
const ADD_CALL: Row = {
  keys: [ADD_CALL_KEY],
  does: 'Add a call; on a row, for its symbol',
};
const TOASTS: Row = { keys: ['F6'], does: 'Go to the alerts that fired, and back; Esc dismisses one' };
const HELP: Row = { keys: ['?'], does: 'Show the keyboard shortcuts' };

/** Keys of scanners; visitors see only those of screens that they may open. */
const scannerKeys = (accessLevel: number): readonly Row[] =>
  TAB_ROUTES.filter((one) => !needsLogin(one, accessLevel)).map(({ tab, title }) => ({
    keys: [tab.key],
    does: title,
  }));

const screenKeys = (accessLevel: number): readonly Row[] =>
  ROUTES.filter((one) => isOpenTo(one, accessLevel)).flatMap((one) => {
    const key = chordKey(one);
    return key === undefined ? [] : [{ keys: ['g', key], does: navLabel(one) }];
  });

function tableKeys(shown: Route | null): readonly Row[] {
  if (shown?.tab) return SCANNER_TABLE;
  if (shown?.path === WATCHLIST_PATH) {
    const [tab = ''] = pageOf(currentHash.value, WATCHLIST_PATH);
    return WATCH_TABLES[tab] ?? WATCHLIST_TABLE;
  }
  if (shown?.path === ANNOUNCEMENTS_PATH) return ANNOUNCEMENTS_TABLE;
  if (shown?.path === CHART_PATH) return CHART_KEYS;
  if (shown?.path === CALENDAR_PATH) return CALENDAR_TABLE;
  return shown?.path === CALLS_PATH ? CALLS_TABLE : [];
}

const pageKeys = (isSignedIn: boolean): readonly Row[] =>
  isPopup
    ? [...(isSignedIn ? [TOASTS] : []), HELP]
    : [...(isSignedIn ? [ADD_CALL] : []), PALETTE, ...(isSignedIn ? [TOASTS] : []), HELP];

/**
 * Required by the chart library's licence. It is below the list, because a link inside would take the focus and the
 * arrow keys would not scroll.
 */
const CREDIT = (
  <p className="muted small">
    Charts are drawn by TradingView Lightweight Charts™, Copyright © 2025 TradingView, Inc.{' '}
    <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
      www.tradingview.com
    </a>
  </p>
);

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { accessLevel, isAuthenticated } = session.value;
  const tourAgain = () => {
    startTour();
    onClose();
  };
  return (
    <DialogSheet
      open
      title="Keyboard"
      onClose={onClose}
      footer={
        <>
          {CREDIT}
          {isAuthenticated && !isPopup && <Button onClick={tourAgain}>Start the tour</Button>}
        </>
      }
    >
      <div className="keys">
        <KeyList title="Scanners" rows={isPopup ? [] : scannerKeys(accessLevel)} />
        <KeyList title="Screens" rows={isPopup ? [] : screenKeys(accessLevel)} />
        <KeyList title="Table" rows={tableKeys(route.value)} />
        <KeyList title="Page" rows={pageKeys(isAuthenticated)} />
      </div>
    </DialogSheet>
  );
}

function KeyList({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h3 className="small">{title}</h3>
      <dl>
        {rows.map((row) => (
          <div key={row.does}>
            <dt className="cluster gap-1">
              {row.keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{row.does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
