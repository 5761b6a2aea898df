import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import { type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import { logicOf } from '../../../../conditions/rules/draft.ts';
import { logicText } from '../../../../conditions/rules/logicText.ts';
import { platformCatalog } from '../../../../indicators/web/shared/catalog.ts';
import { Toggle } from '../../../../../../web/ui/Toggle.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { expandedAlerts, setExpanded } from '../alerts/alertStore.ts';
import type { EditorState } from '../alerts/editorState.ts';
import { AlertBody } from './AlertBody.tsx';
import './AlertCard.css';
import { Arming } from './Arming.tsx';
import { AlertPills } from './AlertPills.tsx';

type AlertCardProps = {
  editor: AlertEditor;
  /** Its place among the alerts of its symbol, from 1. */
  number: number;
  isAlone: boolean;
  /** It was asked for: its first field gets the focus. */
  takesFocus: boolean;
};

/** One alert: a line that says what it is and switches it, and its editor when that is expanded. */
export function AlertCard({ editor, number, isAlone, takesFocus }: AlertCardProps): ReactNode {
  const state = editor.state.value;
  const bodyId = useId();
  const card = useRef<HTMLLIElement>(null);
  const isExpanded = expandedAlerts.value.has(editor.key);
  const title = state.draft.name.trim() || (state.saved === null ? 'New alert' : `Alert ${number}`);
  useEffect(() => {
    if (takesFocus) card.current?.querySelector<HTMLElement>('input[type="text"], select')?.focus();
  }, [takesFocus]);
  return (
    <li ref={card} className="alert-card" aria-label={title}>
      <div className="alert-card-head">
        <button
          type="button"
          className="alert-card-title"
          aria-expanded={isExpanded}
          aria-controls={bodyId}
          onClick={() => {
            if (isExpanded) editor.flush();
            setExpanded(editor.key, !isExpanded);
          }}
        >
          <ChevronRightIcon size={16} aria-hidden />
          <span className="alert-card-name">
            {isAlone && state.saved !== null && !state.draft.name.trim() ? 'Alert' : title}
          </span>
          {!isExpanded && <Words state={state} />}
        </button>
        <AlertPills state={state} />
        <Toggle
          label="Active"
          name={`${title}: active`}
          checked={state.draft.active}
          onChange={editor.setActive}
        />
      </div>
      <Arming editor={editor} />
      {state.saved?.problem && <p className="alert-card-problem">{state.saved.problem}</p>}
      <div id={bodyId} hidden={!isExpanded}>
        {isExpanded && <AlertBody editor={editor} />}
      </div>
    </li>
  );
}

/** What the alert waits for, in words. */
function Words({ state: { draft } }: { state: EditorState }): ReactNode {
  const catalog = platformCatalog.value?.catalog ?? null;
  const logic = useMemo(() => logicOf(draft.conditions), [draft.conditions]);
  return <span className="alert-card-words">{logicText(logic, catalog)}</span>;
}
