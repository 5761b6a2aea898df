import BellIcon from 'lucide-react/icons/bell-ring';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, useState } from 'react';
import { WATCHLIST_PATH } from '#web/router/routes.ts';
import { IconButton } from '#ui/Button.tsx';
import { formatTime } from '#texts/format.ts';
import type { AlertTrigger } from '../shared/alertStream.ts';
import { showAlert, showScanAlert } from '../shared/showAlert.ts';
import { ToastActions } from './ToastActions.tsx';
import { lineValues, triggerTitle } from './triggerWords.ts';

type ToastLineProps = {
  trigger: AlertTrigger;
  /** Its link was followed. */
  onFollow(): void;
  /** Left out where it is not dismissed by itself. */
  onDismiss?: () => void;
};

/**
 * An alert that fired, in one line. What can be done with it is beside it while it is pointed at or has the focus of a
 * keyboard; a press on its values shows them in full, with the same.
 */
export function ToastLine({ trigger, onFollow, onDismiss }: ToastLineProps): ReactNode {
  const { key, name, marketAt } = trigger;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={isOpen ? 'toast is-open' : 'toast'} data-toast={key}>
      <BellIcon size={14} aria-hidden />
      <time className="toast-time" dateTime={new Date(marketAt).toISOString()}>
        {formatTime(marketAt)}
      </time>
      <p className="toast-title">
        <ToastLink trigger={trigger} onFollow={onFollow} />
        {name !== null && <span className="toast-name">{name}</span>}
      </p>
      <button type="button" className="toast-text" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {lineValues(trigger)}
      </button>
      <ToastActions trigger={trigger} />
      {onDismiss && (
        <IconButton label={`Dismiss ${triggerTitle(trigger)}`} onClick={onDismiss}>
          <XIcon size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

type ToastLinkProps = Pick<ToastLineProps, 'trigger' | 'onFollow'>;

/** Leads to the alert of one stock, else to the watchlist. */
function ToastLink({ trigger: { of, alertId, symbol }, onFollow }: ToastLinkProps): ReactNode {
  if (of === 'scan' || symbol === null) {
    return (
      <a
        className={symbol === null ? undefined : 'toast-symbol'}
        href={`#${WATCHLIST_PATH}`}
        title={of === 'scan' ? 'Show the alert on the scan' : undefined}
        onClick={(event) => {
          if (of === 'scan') {
            event.preventDefault();
            showScanAlert(alertId);
          }
          onFollow();
        }}
      >
        {symbol ?? 'Alert fired'}
      </a>
    );
  }
  return (
    <a
      className="toast-symbol"
      href={`#${WATCHLIST_PATH}`}
      title={`Show ${symbol} in the watchlist`}
      onClick={(event) => {
        event.preventDefault();
        showAlert(symbol, alertId);
        onFollow();
      }}
    >
      {symbol}
    </a>
  );
}
