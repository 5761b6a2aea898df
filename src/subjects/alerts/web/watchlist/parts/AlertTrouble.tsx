import type { ReactNode } from 'react';
import { alertLines, type DescribedAlert } from '../../../rules/alertText.ts';
import { logicOf } from '../../../../conditions/rules/draft.ts';
import { platformCatalog } from '../../../../indicators/web/shared/catalog.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import type { AlertEditor } from '../alerts/alertEditor.ts';
import { removeAlert } from '../alerts/alertStore.ts';
import './AlertTrouble.css';

/** Why an alert is not saved, and what can be done: try again, or choose between two versions. */
export function AlertTrouble({ editor }: { editor: AlertEditor }): ReactNode {
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
    ...draft,
    name: draft.name.trim() || null,
    note: draft.note.trim() || null,
    logic: logicOf(draft.conditions),
  };
  if (conflict?.kind !== 'changed') {
    return (
      <div className="alert-conflict" role="alert">
        <p>This alert was deleted elsewhere while you edited it.</p>
        <div className="alert-versions">
          <Version title="Yours" alert={mine} other={null} action="Keep mine" onChoose={editor.keepMine} />
        </div>
        <Button onClick={() => void removeAlert(editor)}>Delete here too</Button>
      </div>
    );
  }
  const theirs: DescribedAlert = {
    ...conflict.theirs,
    logic: conflict.theirs.logic_json,
    expiresAt: conflict.theirs.expires_at,
  };
  return (
    <div className="alert-conflict" role="alert">
      <p>This alert was changed elsewhere while you edited it. Choose the version that stays.</p>
      <div className="alert-versions">
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
    <section className="alert-version" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {alertLines(alert, catalog).map((line) => (
          <li key={line}>{same?.includes(line) === false ? <strong>{line}</strong> : line}</li>
        ))}
      </ul>
      <Button onClick={onChoose}>{action}</Button>
    </section>
  );
}
