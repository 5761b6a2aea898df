import PlusIcon from 'lucide-react/icons/plus';
import { computed } from '@preact/signals-react';
import { memo, type ReactNode, useEffect, useRef, useId, useMemo, Fragment, useState } from 'react';
import { sessionPhase } from '#web/live/marketHours.ts';
import { untilOpenText, goingOn, isUntilOpen, UNTIL_OPEN_REASON } from '#subjects/alerts/rules/alertState.ts';
import { capitalised } from '#lib/wording.ts';
import { newAlertDraft, hasWholeConditions, trimmed } from '#subjects/alerts/rules/alertDraft.ts';
import { ValueUse } from '#web/shared/indicators/CatalogProblem.tsx';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
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
  removeAlert,
} from '../alerts/alertStore.ts';
import {
  linkedChats,
  linkedChatsError,
  loadLinkedChats,
  platformsOf,
} from '#subjects/chats/web/shared/linkedChats.ts';
import {
  devicesError,
  loadDevices,
  newDeviceChoice,
  ownDevices,
} from '#subjects/devices/web/shared/devices.ts';
import { forgetWanted, wantedAlert, editedSymbol } from '../useWatchlist.ts';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { logicOf, withTyped } from '#subjects/conditions/rules/draft.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { platformCatalog } from '#web/shared/indicators/catalog.ts';
import { Toggle } from '#ui/Field.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { type EditorState, isUnsaved, needsSave } from '../alerts/editorState.ts';
import { UndoWindow } from './UndoWindow.tsx';
import { formatMoment, formatTime, formatClock } from '#texts/format.ts';
import { Pill } from '#ui/Pill.tsx';
import { OddsLink } from '#web/shared/OddsLink.tsx';
import { answerText, statusText } from '#subjects/alerts/rules/seenText.ts';
import { fetchEvaluation } from '../api.ts';
import type { EvaluationView } from '#subjects/alerts/rules/alertView.ts';
import { STOCK_OPTIONS } from '#subjects/alerts/answers/options.ts';
import { ALERT_LOGIC, operandsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import type { Ref } from '#subjects/conditions/rules/operand.ts';
import { ConditionEditor } from '#subjects/conditions/web/shared/ConditionEditor.tsx';
import { useOwnScans } from '#subjects/indicators/web/shared/ownScans.ts';
import { DeliveryFields, NameField } from './AlertFields.tsx';
import { QuickAlert } from '../../shared/AlertMeDialog.tsx';
import { AlertFoot } from './AlertFoot.tsx';
import { BacktestView, useBacktest } from './BacktestView.tsx';
import { type Preview, previewOf, previewText } from '#subjects/alerts/rules/preview.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import type { Backtest } from '#subjects/alerts/rules/backtest.ts';
import { ignoresStatus, marketNow, stocks } from '#web/live/market.ts';
import { alertLines, type DescribedAlert } from '#subjects/alerts/rules/alertText.ts';

const POLL_MS = 2000;

/**
 * Polls the last evaluation while the window is visible.
 * @returns undefined before the first answer; null if the last request failed
 */
function useEvaluation(id: number): EvaluationView | null | undefined {
  const [evaluation, setEvaluation] = useState<EvaluationView | null>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let isOver = false;
    const ask = async () => {
      clearTimeout(timer);
      if (isAsking || isOver || document.hidden) return;
      isAsking = true;
      const answer = await fetchEvaluation(id).catch((problem: unknown) => {
        console.warn('The last evaluation could not be read.', problem);
        return null;
      });
      isAsking = false;
      if (isOver) return;
      setEvaluation(answer);
      timer = setTimeout(() => void ask(), POLL_MS);
    };
    const onVisible = () => void ask();
    document.addEventListener('visibilitychange', onVisible);
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [id]);
  return evaluation;
}

type LastEvaluationProps = { id: number; symbol: string; isActive: boolean };

function LastEvaluation({ id, symbol, isActive }: LastEvaluationProps): ReactNode {
  return (
    <section className="last-evaluation gap-0-3 align-baseline table-text row" aria-label="Last check">
      <h3 className="small">Now</h3>
      {isActive ? (
        <Polled id={id} symbol={symbol} />
      ) : (
        <p className="muted">not checked: the alert is switched off</p>
      )}
    </section>
  );
}

function Polled({ id, symbol }: { id: number; symbol: string }): ReactNode {
  const evaluation = useEvaluation(id);
  if (evaluation === undefined) return <p>Loading…</p>;
  if (evaluation === null) return <p>The last check could not be loaded.</p>;
  return (
    <p>
      <Result evaluation={evaluation} symbol={symbol} />
    </p>
  );
}

function Result({ evaluation, symbol }: { evaluation: EvaluationView; symbol: string }): ReactNode {
  const { at, notEvaluated, conditions, guard } = evaluation;
  return (
    <>
      {conditions.map((seen, index) => {
        const { answer, text } = statusText(seen, conditions.length === 1);
        return (
          // The position is the key, because conditions have no other identity.
          <Fragment key={index}>
            {index > 0 && ' · '}
            <strong className={answerText(seen) === 'yes' ? 'up' : 'muted'}>{answer}</strong>: {text}
          </Fragment>
        );
      })}
      {notEvaluated !== null && (
        <em className="warn-text">
          {conditions.length > 0 && ' · '}not checked: {notEvaluated}
        </em>
      )}
      {conditions.length === 0 &&
        notEvaluated === null &&
        `Not checked yet: ${symbol} has not traded since then.`}
      {guard !== null && <em className="warn-text"> · {guard}</em>}
      {at !== null && <span className="muted small"> at {formatClock(at)}</span>}
    </>
  );
}

function AlertTrouble({ editor }: { editor: AlertEditor }): ReactNode {
  const { refusal, conflict } = editor.state.value;
  if (conflict !== null) return <Conflict editor={editor} />;
  if (refusal === null) return null;
  return (
    <Banner
      onDismiss={editor.dismissRefusal}
      action={refusal.step === 'active' ? null : <Button onClick={editor.flush}>Retry</Button>}
    >
      {refusal.message}
    </Banner>
  );
}

function Conflict({ editor }: { editor: AlertEditor }): ReactNode {
  const { conflict, draft } = editor.state.value;
  const mine: DescribedAlert = {
    ...trimmed(draft),
    destinations: draft.destinations,
    logic_json: logicOf(draft.conditions),
  };
  if (conflict?.kind !== 'changed') {
    return (
      <div className="marked tone-warn stack" role="alert">
        <p>This alert was deleted elsewhere while you edited it.</p>
        <div className="columns">
          <Version title="Yours" alert={mine} other={null} action="Keep mine" onChoose={editor.keepMine} />
        </div>
        <Button onClick={() => void removeAlert(editor)}>Delete here too</Button>
      </div>
    );
  }
  const theirs = conflict.theirs;
  return (
    <div className="marked tone-warn stack" role="alert">
      <p>This alert was changed elsewhere while you edited it. Choose the version to keep.</p>
      <div className="columns">
        <Version title="Yours" alert={mine} other={theirs} action="Keep mine" onChoose={editor.keepMine} />
        <Version
          title="Theirs"
          alert={theirs}
          other={mine}
          action="Take theirs"
          onChoose={editor.acceptTheirs}
        />
      </div>
    </div>
  );
}

type VersionProps = {
  title: string;
  alert: DescribedAlert;
  other: DescribedAlert | null;
  action: string;
  onChoose(): void;
};

/** One of two conflicting versions. Lines that the other version lacks are bold. */
function Version({ title, alert, other, action, onChoose }: VersionProps): ReactNode {
  const catalog = platformCatalog.value?.catalog ?? null;
  const same = other === null ? null : alertLines(other, catalog);
  return (
    <section className="box stack on-ground pad-2-3" aria-label={title}>
      <h3 className="small">{title}</h3>
      <ul className="bullets break-words">
        {alertLines(alert, catalog).map((line) => (
          <li key={line}>{same?.includes(line) === false ? <strong>{line}</strong> : line}</li>
        ))}
      </ul>
      <Button onClick={onChoose}>{action}</Button>
    </section>
  );
}

type PreviewLineProps = {
  symbol: string;
  /** The conditions, including the number being typed; null while they are incomplete. */
  logic: Logic | null;
  backtest: Backtest | null;
  /** True if the server has exactly these conditions and the alert is active. */
  isLive: boolean;
  isOn: boolean;
};

function PreviewLine({ symbol, logic, backtest, isLive, isOn }: PreviewLineProps): ReactNode {
  const stock = stocks.value.get(symbol);
  const preview: Preview | null = stock && logic ? previewOf(logic, stock, marketNow(), ignoresStatus) : null;
  const text = logic && previewText({ preview, backtest, isLive, isOn });
  return text && <p className="table-text">{text}</p>;
}

function AlertBody({ editor }: { editor: AlertEditor }): ReactNode {
  const state = editor.state.value;
  const { saved, symbol } = state;
  const conditions = useMemo(
    () => withTyped(state.draft.conditions, state.typing),
    [state.draft.conditions, state.typing],
  );
  const logic = useMemo(
    () => (hasWholeConditions({ conditions }) ? logicOf(conditions) : null),
    [conditions],
  );
  const scans = useOwnScans();
  const { persistent } = state.draft;
  // The cooldown applies only to alerts that repeat.
  const cooldownMinutes = persistent ? state.draft.cooldown_minutes : STOCK_OPTIONS.cooldownMinutes.start;
  const running = useBacktest(symbol, logic && { logic, cooldownMinutes });
  const isReadable = saved === null || saved.logic_json !== null;
  const note = noteOf(state);
  return (
    <div className="alert-body stack">
      <AlertTrouble editor={editor} />
      {isReadable ? (
        <>
          <NameField editor={editor} />
          <Conditions editor={editor} scans={scans} />
          <PreviewLine
            symbol={symbol}
            logic={logic}
            backtest={running.isOld ? null : running.backtest}
            isLive={saved?.active === true && state.typing === null && !needsSave(state)}
            isOn={state.draft.active}
          />
          <UntilOpenNote editor={editor} logic={logic} scans={scans} />
          {note !== null && <p className="warn-text table-text">{note}</p>}
          <DeliveryFields editor={editor} />
        </>
      ) : (
        <p className="warn-text table-text">
          This alert was created in a newer version of Bellbird. Reload the page to edit it.
        </p>
      )}
      {saved !== null && <LastEvaluation id={saved.id} symbol={symbol} isActive={saved.active} />}
      {isReadable && <BacktestView isWhole={logic !== null} running={running} persistent={persistent} />}
      {logic !== null && (
        <p className="table-text">
          <OddsLink
            scan={{ type: 'logic', logic, symbol }}
            subject={saved === null ? 'draft' : `alert:${saved.id}`}
            name={`${state.draft.name?.trim() || 'an alert'} on ${symbol}`}
          />
        </p>
      )}
      <AlertFoot editor={editor} />
    </div>
  );
}

/** Why the editor's content is not saved automatically; null if it is. */
function noteOf({ saved, draft }: EditorState): string | null {
  if (hasWholeConditions(draft)) return null;
  if (saved === null) return 'Not saved yet: complete the conditions.';
  return 'Not saved: until the conditions are complete, the alert uses its saved ones.';
}

type ConditionsProps = { editor: AlertEditor; scans: readonly ScanView[] | null };

function UntilOpenNote({ editor, logic, scans }: ConditionsProps & { logic: Logic | null }): ReactNode {
  const scanOf = (id: number) => scans?.find((scan) => scan.id === id) ?? null;
  if (logic === null || !isUntilOpen(logic, scanOf)) return null;
  const changed = goingOn(editor.state.value.draft.conditions, scanOf);
  return (
    <div className="marked tone-warn row">
      <p>
        <strong>On {untilOpenText(sessionPhase.value)}.</strong> {UNTIL_OPEN_REASON}
      </p>
      {changed && (
        <Button onClick={() => editor.type({ conditions: changed })}>Also Last (from the open)</Button>
      )}
    </div>
  );
}

function Conditions({ editor, scans }: ConditionsProps): ReactNode {
  const { draft, refusal } = editor.state.value;
  const indicators = useUsedIndicators();
  return (
    <ConditionEditor
      kind={ALERT_LOGIC}
      conditions={draft.conditions}
      indicators={indicators}
      scans={scans}
      showsProblems={false}
      wrong={refusal?.field?.replace(/^logic_json\b/, 'logic') ?? null}
      onChange={(conditions) => editor.type({ conditions })}
      onTyping={editor.setTyping}
    />
  );
}

/** Indicators of the loaded alerts, offered for reuse. */
function useUsedIndicators(): readonly Ref[] {
  const loaded = loadedAlerts.value;
  return useMemo(() => {
    const editors = [...loaded.values()].flatMap((one) => one.editors);
    return editors.flatMap((editor) =>
      operandsOf(logicOf(editor.state.peek().draft.conditions)).filter((operand) => operand.type !== 'field'),
    );
  }, [loaded]);
}

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
  /** Position among the symbol's alerts, from 1. */
  number: number;
  isAlone: boolean;
  takesFocus: boolean;
};

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
          label={state.draft.active ? 'On: checks every tick' : 'Off: checks nothing'}
          name={`${title}: active`}
          checked={state.draft.active}
          onChange={editor.setActive}
        />
      </div>
      <UndoWindow editor={editor} />
      {state.saved?.problem && <p className="alert-card-problem muted table-text">{state.saved.problem}</p>}
      <div id={bodyId} hidden={!isExpanded}>
        {isExpanded && <AlertBody editor={editor} />}
      </div>
    </li>
  );
}

type HeadProps = Pick<AlertCardProps, 'editor' | 'isAlone'> & { bodyId: string; title: string };

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

function Words({ state: { draft } }: { state: EditorState }): ReactNode {
  const catalog = platformCatalog.value?.catalog ?? null;
  const logic = useMemo(() => logicOf(draft.conditions), [draft.conditions]);
  return <span className="ellipsis alert-card-words muted table-text">{logicText(logic, catalog)}</span>;
}

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
      {isLoaded && areDestinationsKnown.value && <AddAlert symbol={symbol} />}
    </section>
  );
});

/** Adds an alert: a price alert in one field to a symbol without alerts, otherwise by the full editor. */
function AddAlert({ symbol }: { symbol: string }): ReactNode {
  const price = useRef<HTMLInputElement>(null);
  const stock = stocks.value.get(symbol);
  if (stock && alertsOn(symbol).editors.length === 0) {
    return <QuickAlert stock={stock} field={price} onDone={() => void loadAlerts(symbol)} />;
  }
  return (
    <div>
      <Button onClick={() => beginAlert(symbol, newDraft())}>
        <PlusIcon size={15} aria-hidden />
        Add alert
      </Button>
      <ValueUse />
    </div>
  );
}

function Alerts({ symbol }: { symbol: string }): ReactNode {
  const { isLoaded, error, editors } = alertsOn(symbol);
  useEffect(() => void loadAlerts(symbol), [symbol]);
  useEffect(loadDestinations, []);
  const wanted = useWantedAlert(symbol);
  return (
    <>
      {error !== null && <RetryBanner onRetry={() => loadAlerts(symbol)}>{error}</RetryBanner>}
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

/** Whether the chats and devices have loaded, or failed to. */
const areDestinationsKnown = computed(
  () =>
    (linkedChats.value !== null || linkedChatsError.value !== null) &&
    (ownDevices.value !== null || devicesError.value !== null),
);

function loadDestinations(): void {
  if (linkedChats.peek() === null) void loadLinkedChats();
  if (ownDevices.peek() === null) void loadDevices();
}

/** A new draft, sent to every linked platform and all devices. */
const newDraft = () =>
  newAlertDraft({
    ...platformsOf(linkedChats.peek() ?? []),
    devices: newDeviceChoice(ownDevices.peek()),
  });

function leave(symbol: string): void {
  if (editedSymbol.peek() === symbol) editedSymbol.value = null;
}

/** Shows the requested alert, or starts a new one. @returns its editor's key; null for none */
function useWantedAlert(symbol: string): string | null {
  const shown = useRef<string | null>(null);
  const isLoaded = alertsOn(symbol).isLoaded && areDestinationsKnown.value;
  const wanted = wantedAlert.value;
  useEffect(() => {
    if (!isLoaded || wanted?.symbol !== symbol) return;
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
