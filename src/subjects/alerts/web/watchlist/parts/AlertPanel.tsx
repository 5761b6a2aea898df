import PlusIcon from 'lucide-react/icons/plus';
import { memo, type ReactNode, useEffect, useRef, useId, useMemo } from 'react';
import { sessionPhase } from '#web/live/marketHours.ts';
import { untilOpenText } from '#subjects/alerts/rules/alertState.ts';
import { capitalised } from '#lib/text.ts';
import { newAlertDraft } from '#subjects/alerts/rules/alertDraft.ts';
import { ValueUse } from '#web/shared/indicators/ValueUse.tsx';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import {
  alertsOn,
  beginAlert,
  flushAlerts,
  loadAlerts,
  loadedAlerts,
  setExpanded,
  expandedAlerts,
} from '../alerts/alertStore.ts';
import { linkedChats, platformsOf } from '#subjects/chats/web/shared/linkedChats.ts';
import { newDeviceChoice, ownDevices } from '#subjects/devices/web/shared/devices.ts';
import { forgetWanted, wantedAlert } from '../useWatchlist.ts';
import { openSymbols } from '../state.ts';
import { editedSymbol } from '../rows.ts';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { logicOf } from '#subjects/conditions/rules/draft.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { platformCatalog } from '#web/shared/indicators/catalog.ts';
import { Toggle } from '#ui/Toggle.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { type EditorState, isUnsaved } from '../alerts/editorState.ts';
import { AlertBody } from './AlertBody.tsx';
import { Arming } from './Arming.tsx';
import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import { formatTime } from '#texts/format.ts';
import { Pill } from '#ui/Pill.tsx';

/** In what state an alert is, as far as it is not simply on and saved. */
function AlertPills({ state }: { state: EditorState }): ReactNode {
  const { saved, inFlight, refusal, conflict } = state;
  const isWaiting = refusal !== null || conflict !== null;
  return (
    <>
      {saved?.snoozed_until && <Pill variant="stale">Snoozed until {formatTime(saved.snoozed_until)}</Pill>}
      {saved?.active && saved.until_open && (
        <Pill variant="stale">{capitalised(untilOpenText(sessionPhase.value))}</Pill>
      )}
      {saved?.active && saved.expires_at !== null && (
        <Pill variant="stale">Expires {formatMoment(saved.expires_at)}</Pill>
      )}
      {saved?.stopped_reason && !state.draft.active && <Pill variant="warn">Stopped</Pill>}
      {saved?.delivery === 'failed' && <Pill variant="down">Not delivered</Pill>}
      {isWaiting && isUnsaved(state) && <Pill variant="down">Not saved</Pill>}
      <span className="muted small" role="status">
        {inFlight !== null && 'Saving…'}
      </span>
    </>
  );
}

type AlertCardProps = {
  editor: AlertEditor;
  /** Its place among the alerts of its symbol, from 1. */
  number: number;
  isAlone: boolean;
  /** It was asked for: its first field gets the focus. */
  takesFocus: boolean;
};

/** One alert: a line that says what it is and switches it, and its editor when that is expanded. */
function AlertCard({ editor, number, isAlone, takesFocus }: AlertCardProps): ReactNode {
  const state = editor.state.value;
  const bodyId = useId();
  const card = useRef<HTMLLIElement>(null);
  const isExpanded = expandedAlerts.value.has(editor.key);
  const title = state.draft.name?.trim() || (state.saved === null ? 'New alert' : `Alert ${number}`);
  useEffect(() => {
    if (takesFocus) card.current?.querySelector<HTMLElement>('input[type="text"], select')?.focus();
  }, [takesFocus]);
  return (
    <li ref={card} className="alert-card box on-ground" aria-label={title}>
      <div className="alert-card-head row">
        <Head editor={editor} bodyId={bodyId} title={title} isAlone={isAlone} />
        <AlertPills state={state} />
        <Toggle
          label="Active"
          name={`${title}: active`}
          checked={state.draft.active}
          onChange={editor.setActive}
        />
      </div>
      <Arming editor={editor} />
      {state.saved?.problem && <p className="alert-card-problem muted table-text">{state.saved.problem}</p>}
      <div id={bodyId} hidden={!isExpanded}>
        {isExpanded && <AlertBody editor={editor} />}
      </div>
    </li>
  );
}

type HeadProps = Pick<AlertCardProps, 'editor' | 'isAlone'> & { bodyId: string; title: string };

/** The button that shows the editor, or its line. */
function Head({ editor, bodyId, title, isAlone }: HeadProps): ReactNode {
  const state = editor.state.value;
  const isExpanded = expandedAlerts.value.has(editor.key);
  return (
    <button
      type="button"
      className="alert-card-title cluster min-w-0"
      aria-expanded={isExpanded}
      aria-controls={bodyId}
      onClick={() => {
        if (isExpanded) editor.flush();
        setExpanded(editor.key, !isExpanded);
      }}
    >
      <ChevronRightIcon className="chevron" size={16} aria-hidden />
      <span className="alert-card-name ellipsis flex-none strong">
        {isAlone && state.saved !== null && !state.draft.name?.trim() ? 'Alert' : title}
      </span>
      {!isExpanded && <Words state={state} />}
    </button>
  );
}

/** What the alert waits for, in words. */
function Words({ state: { draft } }: { state: EditorState }): ReactNode {
  const catalog = platformCatalog.value?.catalog ?? null;
  const logic = useMemo(() => logicOf(draft.conditions), [draft.conditions]);
  return <span className="ellipsis muted table-text">{logicText(logic, catalog)}</span>;
}

/** What opens under a symbol's row: its alerts, and a new one where there is none yet. */
export const AlertPanel = memo(function AlertPanel({ symbol }: { symbol: string }): ReactNode {
  const { isLoaded, isLoading } = alertsOn(symbol);
  const frame = useRef<HTMLElement>(null);
  useEffect(() => () => leave(symbol), [symbol]);
  return (
    <section
      ref={frame}
      className="alert-panel stack"
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
      <Alerts symbol={symbol} />
      {isLoaded && (
        <div>
          <Button onClick={() => beginAlert(symbol, newDraft())}>
            <PlusIcon size={15} aria-hidden />
            Add alert
          </Button>
          <ValueUse />
        </div>
      )}
    </section>
  );
});

/** The alerts on a symbol, or why they are not there. */
function Alerts({ symbol }: { symbol: string }): ReactNode {
  const { isLoaded, error, editors } = alertsOn(symbol);
  useEffect(() => void loadAlerts(symbol), [symbol]);
  useFirstAlert(symbol);
  const wanted = useWantedAlert(symbol);
  return (
    <>
      {error !== null && (
        <Banner action={<Button onClick={() => void loadAlerts(symbol)}>Retry</Button>}>{error}</Banner>
      )}
      {!isLoaded && error === null && <SkeletonRows rows={2} label="Loading the alerts…" />}
      {editors.length > 0 && (
        <ul className="stack">
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
    </>
  );
}

/** A new alert goes to every platform on which there is a chat, and to all devices. */
const newDraft = () =>
  newAlertDraft({
    ...platformsOf(linkedChats.peek() ?? []),
    devices: newDeviceChoice(ownDevices.peek()),
  });

function leave(symbol: string): void {
  if (editedSymbol.peek() === symbol) editedSymbol.value = null;
}

/** Begins an alert where a symbol has none, once the chats and devices are known that it would be sent to. */
function useFirstAlert(symbol: string): void {
  const { isLoaded, editors } = alertsOn(symbol);
  const isMissing = isLoaded && editors.length === 0 && openSymbols.value.has(symbol);
  const hasChats = linkedChats.value !== null;
  const hasDevices = ownDevices.value !== null;
  useEffect(() => {
    if (isMissing) beginAlert(symbol, newDraft());
  }, [symbol, isMissing, hasChats, hasDevices]);
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
    const editor = wanted.alertId === null ? (begun ?? beginAlert(symbol, newDraft())) : found;
    if (editor) setExpanded(editor.key, true);
    shown.current = editor?.key ?? null;
    forgetWanted();
  }, [symbol, isLoaded, wanted]);
  return shown.current;
}
