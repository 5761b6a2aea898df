import { type ReactNode, useMemo } from 'react';
import { hasWholeConditions, trimmed } from '#subjects/alerts/rules/alertDraft.ts';
import { STOCK_OPTIONS } from '#subjects/alerts/answers/options.ts';
import { ALERT_LOGIC, operandsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { logicOf, withTyped } from '#subjects/conditions/rules/draft.ts';
import type { Ref } from '#subjects/conditions/rules/operand.ts';
import { ConditionEditor } from '#subjects/conditions/web/shared/ConditionEditor.tsx';
import { useOwnScans } from '#subjects/indicators/web/shared/scans/useOwnScans.ts';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { loadedAlerts, removeAlert } from '../alerts/alertStore.ts';
import { type EditorState, needsSave } from '../alerts/editorState.ts';
import { AlertFields } from './AlertFields.tsx';
import { AlertFoot } from './AlertFoot.tsx';
import { LastEvaluation } from './LastEvaluation.tsx';
import { RehearsalView } from './RehearsalView.tsx';
import { useRehearsal } from './useRehearsal.ts';
import { type Outlook, outlookOf, outlookText } from '#subjects/alerts/rules/outlook.ts';
import { goingOn, isUntilOpen, UNTIL_OPEN_REASON, untilOpenText } from '#subjects/alerts/rules/alertState.ts';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import type { Rehearsal } from '#subjects/alerts/rules/rehearsal.ts';
import { sessionPhase } from '#web/live/marketHours.ts';
import { ignoresStatus, marketNow, stocks } from '#web/live/market.ts';
import { alertLines, type DescribedAlert } from '#subjects/alerts/rules/alertText.ts';
import { platformCatalog } from '#web/shared/indicators/catalog.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';

/** Why an alert is not saved, and what can be done: try again, or choose between two versions. */
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

/** The alert was changed elsewhere while it was edited here: both versions, to choose from. */
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
      <p>This alert was changed elsewhere while you edited it. Choose the version that stays.</p>
      <div className="columns">
        <Version title="Yours" alert={mine} other={theirs} action="Keep mine" onChoose={editor.keepMine} />
        <Version
          title="Theirs"
          alert={theirs}
          other={mine}
          action="Take theirs"
          onChoose={editor.takeTheirs}
        />
      </div>
    </div>
  );
}

type VersionProps = {
  title: string;
  alert: DescribedAlert;
  /** What it is compared with; null for nothing. */
  other: DescribedAlert | null;
  action: string;
  onChoose(): void;
};

/** A version in words, those in bold that the other one does not have. */
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

type OutlookLineProps = {
  symbol: string;
  /** With the number under the cursor; null while the conditions are not whole. */
  logic: Logic | null;
  /** Of just these conditions; null before it is there. */
  rehearsal: Rehearsal | null;
  /** The server has just these conditions, and the alert is on. */
  isLive: boolean;
  isOn: boolean;
};

/** What the conditions would do, before they are saved: live with the stock's price. */
function OutlookLine({ symbol, logic, rehearsal, isLive, isOn }: OutlookLineProps): ReactNode {
  const stock = stocks.value.get(symbol);
  const outlook: Outlook | null = stock && logic ? outlookOf(logic, stock, marketNow(), ignoresStatus) : null;
  const text = logic && outlookText({ outlook, rehearsal, isLive, isOn });
  return text && <p className="table-text">{text}</p>;
}

/** The editor of an alert. Everything in it is saved by itself. */
export function AlertBody({ editor }: { editor: AlertEditor }): ReactNode {
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
  // The cooldown is of alerts that repeat.
  const cooldownMinutes = persistent ? state.draft.cooldown_minutes : STOCK_OPTIONS.cooldownMinutes.start;
  const rehearsing = useRehearsal(symbol, logic && { logic, cooldownMinutes });
  const isReadable = saved === null || saved.logic_json !== null;
  const note = noteOf(state);
  return (
    <div className="alert-body stack">
      <AlertTrouble editor={editor} />
      {isReadable ? (
        <>
          <AlertFields editor={editor} />
          <Conditions editor={editor} scans={scans} />
          <OutlookLine
            symbol={symbol}
            logic={logic}
            rehearsal={rehearsing.isOld ? null : rehearsing.rehearsal}
            isLive={saved?.active === true && state.typing === null && !needsSave(state)}
            isOn={state.draft.active}
          />
          <UntilOpenNote editor={editor} logic={logic} scans={scans} />
          {note !== null && <p className="warn-text table-text">{note}</p>}
        </>
      ) : (
        <p className="warn-text table-text">
          This alert was made with a newer version of Bellbird. Reload the page to edit it.
        </p>
      )}
      {saved !== null && <LastEvaluation id={saved.id} symbol={symbol} isActive={saved.active} />}
      {isReadable && (
        <RehearsalView symbol={symbol} logic={logic} rehearsing={rehearsing} persistent={persistent} />
      )}
      <AlertFoot editor={editor} />
    </div>
  );
}

/** Why what stands in the editor is not saved by itself; null when it is. */
function noteOf({ saved, draft }: EditorState): string | null {
  if (hasWholeConditions(draft)) return null;
  if (saved === null) return 'Not saved yet: complete the conditions.';
  return 'Not saved yet: until the conditions are complete, the alert uses its saved ones.';
}

type ConditionsProps = { editor: AlertEditor; scans: readonly ScanView[] | null };

/** That the alert is checked only before the open, and how it goes on after it. */
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

/** The indicators of the alerts that are loaded, to choose from again. */
function useUsedIndicators(): readonly Ref[] {
  const loaded = loadedAlerts.value;
  return useMemo(() => {
    const editors = [...loaded.values()].flatMap((one) => one.editors);
    return editors.flatMap((editor) =>
      operandsOf(logicOf(editor.state.peek().draft.conditions)).filter((operand) => operand.type !== 'field'),
    );
  }, [loaded]);
}
