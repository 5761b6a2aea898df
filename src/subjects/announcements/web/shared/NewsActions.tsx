import BellPlusIcon from 'lucide-react/icons/bell-plus';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { type NewsSummary, offersRefresh, offersSummary } from '#market/rules/newsRow.ts';
import type { Stock } from '#market/rules/stock.ts';
import { Button } from '#ui/Button.tsx';
import { AlertMe } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { appInfo } from '#web/shared/appInfo.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import './NewsActions.css';
import { newsRequests, requestRefresh, requestsOf, requestSummary } from './newsRequests.ts';

type NewsActionsProps = {
  row: Stock;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
  summary: NewsSummary;
  hasAlertButton: boolean;
};

/** What can be done about a stock's news, and what became of a refresh; of a summary its card tells. */
export function NewsActions({ row, today, summary, hasAlertButton }: NewsActionsProps): ReactNode {
  const { code } = row;
  const [isAsking, setAsking] = useState(false);
  const { refresh, summary: asked } = requestsOf(newsRequests.value, code);
  const { accessLevel } = session.value;
  const hasModel = appInfo.value?.hasModel ?? false;
  const isWaiting = asked?.state === 'waiting';
  const hasText = summary.text ?? (asked?.state === 'told' ? asked.text : null);
  return (
    <div className="news-actions">
      {offersRefresh(row, today) && (
        <ActionButton isBusy={refresh?.isSending ?? false} onClick={() => void requestRefresh(code)}>
          <RefreshCwIcon size={14} aria-hidden />
          Refresh news
        </ActionButton>
      )}
      {offersSummary(row, hasText, { accessLevel, hasModel }) && (
        <ActionButton isBusy={isWaiting} onClick={() => void requestSummary(code, summary)}>
          {isWaiting ? 'Summarising…' : 'Summarise'}
        </ActionButton>
      )}
      {hasAlertButton && (
        <Button onClick={() => setAsking(true)}>
          <BellPlusIcon size={14} aria-hidden />
          Alert me
        </Button>
      )}
      {isAsking && <AlertMe row={row} onClose={() => setAsking(false)} />}
      <p className="news-notice" aria-live="polite">
        {refresh?.error == null && refresh?.notice}
      </p>
      {refresh?.error != null && (
        <p className="news-error" role="alert">
          {refresh.error}
        </p>
      )}
    </div>
  );
}

/** A button that goes once its work is done: the row has the focus then, in the place of what had it. */
function ActionButton({
  isBusy,
  onClick,
  ...rest
}: ComponentProps<'button'> & { isBusy: boolean }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element && document.activeElement === element) element.closest('article')?.focus();
    };
  }, []);
  return (
    <Button
      ref={button}
      // Not `disabled`, which would lose the focus.
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (!isBusy) onClick?.(event);
      }}
      {...rest}
    />
  );
}
