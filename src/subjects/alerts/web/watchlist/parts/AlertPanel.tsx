import PlusIcon from 'lucide-react/icons/plus';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import { newAlertDraft } from '../../../rules/alertDraft.ts';
import { ValueUse } from '../../../../indicators/web/shared/ValueUse.tsx';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { SkeletonRows } from '../../../../../../web/ui/SkeletonRows.tsx';
import {
  alertsOn,
  beginAlert,
  flushAlerts,
  loadAlerts,
  loadedAlerts,
  setExpanded,
} from '../alerts/alertStore.ts';
import { chats, linkedPlatforms } from '../chats.ts';
import { forgetWanted, wantedAlert } from '../requests.ts';
import { openSymbols } from '../state.ts';
import { editedSymbol } from '../useWatchRows.ts';
import { AlertCard } from './AlertCard.tsx';
import './AlertPanel.css';

/** What opens under a symbol's row: its alerts, and a new one where there is none yet. */
export const AlertPanel = memo(function AlertPanel({ symbol }: { symbol: string }): ReactNode {
  const { isLoaded, isLoading, error, editors } = alertsOn(symbol);
  const frame = useRef<HTMLElement>(null);
  useEffect(() => void loadAlerts(symbol), [symbol]);
  useFirstAlert(symbol);
  const wanted = useWantedAlert(symbol);
  useEffect(() => () => leave(symbol), [symbol]);
  return (
    <section
      ref={frame}
      className="alert-panel"
      aria-label={`Alerts on ${symbol}`}
      aria-busy={isLoading && !isLoaded}
      onFocus={() => {
        editedSymbol.value = symbol;
      }}
      onBlur={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && frame.current?.contains(relatedTarget);
        if (isInside) return;
        flushAlerts(symbol);
        leave(symbol);
      }}
    >
      {error !== null && (
        <Banner action={<Button onClick={() => void loadAlerts(symbol)}>Retry</Button>}>{error}</Banner>
      )}
      {!isLoaded && error === null && <SkeletonRows rows={2} label="Loading the alerts…" />}
      {editors.length > 0 && (
        <ul className="alert-list">
          {editors.map((editor, index) => (
            <AlertCard
              key={editor.key}
              editor={editor}
              number={index + 1}
              isAlone={editors.length === 1}
              takesFocus={editor.key === wanted}
            />
          ))}
        </ul>
      )}
      {isLoaded && (
        <div className="alert-panel-foot">
          <Button onClick={() => beginAlert(symbol, newAlertDraft(linkedPlatforms()))}>
            <PlusIcon size={15} aria-hidden />
            Add alert
          </Button>
          <ValueUse />
        </div>
      )}
    </section>
  );
});

function leave(symbol: string): void {
  if (editedSymbol.peek() === symbol) editedSymbol.value = null;
}

/** Begins an alert where a symbol has none, once the chats are known that it would be sent to. */
function useFirstAlert(symbol: string): void {
  const { isLoaded, editors } = alertsOn(symbol);
  const isMissing = isLoaded && editors.length === 0 && openSymbols.value.has(symbol);
  const hasChats = chats.value !== null;
  useEffect(() => {
    if (isMissing) beginAlert(symbol, newAlertDraft(linkedPlatforms()));
  }, [symbol, isMissing, hasChats]);
}

/** Shows the alert that was asked for, or begins one. @returns the key of its editor; null for none */
function useWantedAlert(symbol: string): string | null {
  const shown = useRef<string | null>(null);
  const { isLoaded } = alertsOn(symbol);
  const wanted = wantedAlert.value;
  useEffect(() => {
    if (!isLoaded || wanted?.symbol !== symbol) return;
    // Read only now: the first alert of a symbol may just have been begun.
    const editors = loadedAlerts.peek().get(symbol)?.editors ?? [];
    const begun = editors.find(({ state }) => state.peek().saved === null);
    const found = editors.find(({ state }) => state.peek().saved?.id === wanted.alertId);
    const editor =
      wanted.alertId === null ? (begun ?? beginAlert(symbol, newAlertDraft(linkedPlatforms()))) : found;
    if (editor) setExpanded(editor.key, true);
    shown.current = editor?.key ?? null;
    forgetWanted();
  }, [symbol, isLoaded, wanted]);
  return shown.current;
}
