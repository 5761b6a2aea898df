import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../../../../web/ui/Button.tsx';
import './EditorButtons.css';

type EditorButtonsProps = {
  /** The user has tried to close the editor with changes that are not saved. */
  isLeaving: boolean;
  isSaving: boolean;
  onKeepEditing(): void;
  onDiscard(): void;
  onCancel(): void;
  onSave(): void;
};

/** The scan editor's buttons: Cancel and Save, or the question before changes are lost. */
export function EditorButtons(props: EditorButtonsProps): ReactNode {
  const { isLeaving, isSaving } = props;
  const discard = useRef<HTMLButtonElement>(null);
  // The button that asked is gone, and Enter or Escape here ends it.
  useEffect(() => {
    if (isLeaving) discard.current?.focus();
  }, [isLeaving]);
  if (isLeaving) {
    return (
      <>
        <span className="editor-leaving" role="alert">
          The changes are not saved.
        </span>
        <Button onClick={props.onKeepEditing}>Keep editing</Button>
        <Button variant="danger" ref={discard} onClick={props.onDiscard}>
          Discard
        </Button>
      </>
    );
  }
  return (
    <>
      <Button disabled={isSaving} onClick={props.onCancel}>
        Cancel
      </Button>
      <Button variant="primary" disabled={isSaving} onClick={props.onSave}>
        {isSaving ? 'Saving…' : 'Save'}
      </Button>
    </>
  );
}
