import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ScannerFilters } from '#subjects/scanners/rules/filters.ts';
import { MAX_SCAN_NAME_LENGTH } from '#subjects/scanners/rules/scanName.ts';
import { ConditionEditor } from '#subjects/conditions/web/shared/ConditionEditor.tsx';
import { stocks } from '#web/live/market.ts';
import { Banner } from '#ui/Banner.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { TextField } from '#ui/TextField.tsx';
import {
  addDraftIndicators,
  changeError,
  dismissChangeError,
  dropDraftIndicators,
  selectedIndicators,
} from '../state.ts';
import { ListsField } from './ListsField.tsx';
import { Preview } from './Preview.tsx';
import './ScanEditor.css';
import { type ScanDraft, useScanDraft } from './useScanDraft.ts';
import { FormError } from '#ui/FormError.tsx';
import { Button } from '#ui/Button.tsx';

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
function EditorButtons(props: EditorButtonsProps): ReactNode {
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

type ScanEditorProps = {
  /** The scan to change; null makes a new one. */
  id: number | null;
  /** The scanner's filters, which hide some of what the scan finds, and the Sydney date that they take for today. */
  filters: ScannerFilters;
  today: string;
  onClose(): void;
};

/** Closes the editor, but asks before changes are lost, and goes on editing where the work was. */
function useLeaving(draft: ScanDraft, nameBox: RefObject<HTMLInputElement | null>, onClose: () => void) {
  const [isLeaving, setLeaving] = useState(false);
  const cameFrom = useRef<Element | null>(null);
  const close = () => {
    if (draft.isSaving) return;
    if (!draft.isChanged || isLeaving) return onClose();
    cameFrom.current = document.activeElement;
    setLeaving(true);
  };
  const keepEditing = () => {
    flushSync(() => setLeaving(false));
    const from = cameFrom.current;
    (from instanceof HTMLElement && from.isConnected ? from : nameBox.current)?.focus();
  };
  return { isLeaving, close, keepEditing, stay: () => setLeaving(false) };
}

/** Names a scan, edits its conditions, shows what it would find, and saves it. */
export function ScanEditor({ id, filters, today, onClose }: ScanEditorProps): ReactNode {
  const draft = useScanDraft(id);
  const form = useRef<HTMLDivElement>(null);
  const nameBox = useRef<HTMLInputElement>(null);
  const { isLeaving, close, keepEditing, stay } = useLeaving(draft, nameBox, onClose);
  useEffect(() => () => void dropDraftIndicators(), []);
  const save = async () => {
    if (await draft.save()) onClose();
    else form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  return (
    <DialogSheet
      open
      width="wide"
      title={draft.isNew ? 'New scan' : 'Edit scan'}
      onClose={close}
      initialFocus={nameBox}
      footer={
        <EditorButtons
          isLeaving={isLeaving}
          isSaving={draft.isSaving}
          onKeepEditing={keepEditing}
          onDiscard={onClose}
          onCancel={close}
          onSave={() => void save()}
        />
      }
    >
      <div className="scan-editor" ref={form}>
        <ScanFields draft={draft} nameBox={nameBox} filters={filters} today={today} onEdit={stay} />
      </div>
    </DialogSheet>
  );
}

type ScanFieldsProps = Pick<ScanEditorProps, 'filters' | 'today'> & {
  draft: ScanDraft;
  nameBox: RefObject<HTMLInputElement | null>;
  /** Something was changed. */
  onEdit(): void;
};

/** Changes something of the scan, and says that it was changed. */
const editedBy =
  (onEdit: () => void) =>
  <T,>(set: (value: T) => void) =>
  (value: T): void => {
    set(value);
    onEdit();
  };

function ScanFields({ draft, nameBox, filters, today, onEdit }: ScanFieldsProps): ReactNode {
  const edited = editedBy(onEdit);
  return (
    <>
      <TextField
        ref={nameBox}
        label="Name"
        value={draft.name}
        maxLength={MAX_SCAN_NAME_LENGTH}
        aria-invalid={draft.refusal?.field === 'name' || undefined}
        onChange={({ target }) => edited(draft.setName)(target.value)}
      />
      <ListsField
        lists={draft.lists}
        isWrong={draft.refusal?.field?.startsWith('lists') ?? false}
        onChoose={edited(draft.setLists)}
      />
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      <ConditionEditor
        conditions={draft.conditions}
        indicators={selectedIndicators.value}
        stocks={stocks.value}
        showsProblems={draft.showsProblems}
        wrong={draft.refusal?.field ?? null}
        onChange={edited(draft.setConditions)}
        onIndicatorsPicked={(indicators) => void addDraftIndicators(indicators)}
      />
      <FormError>{draft.refusal?.message}</FormError>
      <Preview
        logic={draft.logic}
        lists={draft.lists}
        stocks={stocks.value}
        filters={filters}
        today={today}
      />
    </>
  );
}
