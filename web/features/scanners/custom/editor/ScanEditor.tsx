import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { MAX_SCAN_NAME_LENGTH } from '../../../../../src/domain/scanners/scanName.ts';
import { ConditionEditor } from '../../../../shared/conditions/ConditionEditor.tsx';
import { stocks } from '../../../../shared/live/market.ts';
import { Banner } from '../../../../ui/Banner.tsx';
import { DialogSheet } from '../../../../ui/DialogSheet.tsx';
import { TextField } from '../../../../ui/TextField.tsx';
import {
  addDraftIndicator,
  changeError,
  dismissChangeError,
  dropDraftIndicators,
  selectedIndicators,
} from '../state.ts';
import { EditorButtons } from './EditorButtons.tsx';
import { Preview } from './Preview.tsx';
import './ScanEditor.css';
import { type ScanDraft, useScanDraft } from './useScanDraft.ts';
import { FormError } from '../../../../ui/FormError.tsx';

type ScanEditorProps = {
  /** The scan to change; null makes a new one. */
  id: number | null;
  onClose(): void;
};

/** Names a scan, edits its conditions, shows what it would find, and saves it. */
export function ScanEditor({ id, onClose }: ScanEditorProps): ReactNode {
  const draft = useScanDraft(id);
  const [isLeaving, setLeaving] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const nameBox = useRef<HTMLInputElement>(null);
  useEffect(() => () => void dropDraftIndicators(), []);

  const close = () => {
    if (draft.isSaving) return;
    if (draft.isChanged && !isLeaving) setLeaving(true);
    else onClose();
  };
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
      {...(draft.isNew ? { initialFocus: nameBox } : {})}
      footer={
        <EditorButtons
          isLeaving={isLeaving}
          isSaving={draft.isSaving}
          onKeepEditing={() => setLeaving(false)}
          onDiscard={onClose}
          onCancel={close}
          onSave={() => void save()}
        />
      }
    >
      <div className="scan-editor" ref={form}>
        <ScanFields draft={draft} nameBox={nameBox} onEdit={() => setLeaving(false)} />
      </div>
    </DialogSheet>
  );
}

type ScanFieldsProps = {
  draft: ScanDraft;
  nameBox: RefObject<HTMLInputElement | null>;
  /** The conditions were changed. */
  onEdit(): void;
};

function ScanFields({ draft, nameBox, onEdit }: ScanFieldsProps): ReactNode {
  return (
    <>
      <TextField
        ref={nameBox}
        label="Name"
        value={draft.name}
        maxLength={MAX_SCAN_NAME_LENGTH}
        aria-invalid={draft.refusal?.field === 'name' || undefined}
        onChange={(event) => draft.setName(event.target.value)}
      />
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      <ConditionEditor
        conditions={draft.conditions}
        indicators={selectedIndicators.value}
        stocks={stocks.value}
        showsProblems={draft.showsProblems}
        wrong={draft.refusal?.field ?? null}
        onChange={(conditions) => {
          draft.setConditions(conditions);
          onEdit();
        }}
        onIndicatorPicked={(indicator) => void addDraftIndicator(indicator)}
      />
      <FormError>{draft.refusal?.message}</FormError>
      <Preview logic={draft.logic} stocks={stocks.value} />
    </>
  );
}
