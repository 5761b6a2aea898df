import { type ReactNode, useMemo } from 'react';
import { hasWholeConditions } from '../../../rules/alertDraft.ts';
import { MAX_ALERT_NAME, MAX_ALERT_NOTE } from '../../../rules/alertRules.ts';
import { ALERT_LOGIC, operandsOf } from '../../../../conditions/rules/condition.ts';
import { logicOf, withTyped } from '../../../../conditions/rules/draft.ts';
import type { Ref } from '../../../../conditions/rules/operand.ts';
import { ConditionEditor } from '../../../../conditions/web/shared/ConditionEditor.tsx';
import { useOwnScans } from '../../../../scanners/web/shared/scans/useOwnScans.ts';
import { TextField } from '../../../../../../web/ui/TextField.tsx';
import { Toggle } from '../../../../../../web/ui/Toggle.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { loadedAlerts } from '../alerts/alertStore.ts';
import { type EditorState, needsSave } from '../alerts/editorState.ts';
import './AlertBody.css';
import { AlertFoot } from './AlertFoot.tsx';
import { AlertTrouble } from './AlertTrouble.tsx';
import { DestinationToggles } from './DestinationToggles.tsx';
import { ExpiryField } from './ExpiryField.tsx';
import { LastEvaluation } from './LastEvaluation.tsx';
import { OutlookLine } from './OutlookLine.tsx';
import { RehearsalView } from './RehearsalView.tsx';
import { useRehearsal } from './useRehearsal.ts';

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
  const rehearsing = useRehearsal(symbol, logic);
  const isReadable = saved === null || saved.logic_json !== null;
  return (
    <div className="alert-body">
      <AlertTrouble editor={editor} />
      {isReadable ? (
        <>
          <Fields editor={editor} />
          <Conditions editor={editor} />
          <OutlookLine
            symbol={symbol}
            logic={logic}
            rehearsal={rehearsing.isOld ? null : rehearsing.rehearsal}
            isLive={saved?.active === true && state.typing === null && !needsSave(state)}
            isOn={state.draft.active}
          />
          <p className="alert-note">{noteOf(state)}</p>
        </>
      ) : (
        <p className="alert-note">
          This alert was made with a newer version of Bellbird. Reload the page to edit it.
        </p>
      )}
      {saved !== null && <LastEvaluation id={saved.id} symbol={symbol} isActive={saved.active} />}
      {isReadable && <RehearsalView symbol={symbol} logic={logic} rehearsing={rehearsing} />}
      <AlertFoot editor={editor} />
    </div>
  );
}

/** Why what stands in the editor is not saved by itself; '' when it is. */
function noteOf({ saved, draft }: EditorState): string {
  if (hasWholeConditions(draft)) return '';
  if (saved === null) return 'Not saved yet: complete the conditions.';
  return 'Not saved yet: until the conditions are complete, the alert uses its saved ones.';
}

function Fields({ editor }: { editor: AlertEditor }): ReactNode {
  const { draft, refusal } = editor.state.value;
  return (
    <div className="alert-fields">
      <TextField
        label="Name (optional)"
        value={draft.name}
        maxLength={MAX_ALERT_NAME}
        autoComplete="off"
        onChange={(event) => editor.type({ name: event.target.value })}
        onBlur={editor.flush}
      />
      <TextField
        label="Note (goes into the message)"
        value={draft.note}
        maxLength={MAX_ALERT_NOTE}
        autoComplete="off"
        onChange={(event) => editor.type({ note: event.target.value })}
        onBlur={editor.flush}
      />
      <ExpiryField
        expiresAt={draft.expiresAt}
        isWrong={refusal?.field === 'expires_at'}
        onChange={(expiresAt) => editor.choose({ expiresAt })}
      />
      <div className="alert-toggles">
        <Toggle
          label="Repeat each time"
          checked={draft.persistent}
          onChange={(persistent) => editor.choose({ persistent })}
        />
        <DestinationToggles
          destinations={draft.destinations}
          onChange={(destinations) => editor.choose({ destinations })}
        />
      </div>
    </div>
  );
}

function Conditions({ editor }: { editor: AlertEditor }): ReactNode {
  const { draft, refusal } = editor.state.value;
  const indicators = useUsedIndicators();
  const scans = useOwnScans();
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
