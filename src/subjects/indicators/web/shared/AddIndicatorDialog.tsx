import { type ReactNode, useEffect, useId } from 'react';
import { loadCatalogs, platformCatalog } from './catalog.ts';
import { Button } from '../../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../../web/ui/DialogSheet.tsx';
import './AddIndicatorDialog.css';
import { ParameterForm } from './ParameterForm.tsx';
import type { PickerResult } from './pickerResult.ts';
import { PickerList } from './PickerList.tsx';
import { usePickerSteps } from './usePickerSteps.ts';
import type { FieldOption } from '../../../../market/indicators/rules/types.ts';

const NO_FIELDS: readonly FieldOption[] = [];

export type AddIndicatorDialogProps = {
  open: boolean;
  onClose(): void;
  onAdd(result: PickerResult): void;
  /** Fields that are offered beside those of the catalog. */
  moreFields?: readonly FieldOption[];
  /** Several timeframes may be chosen at once, which gives several indicators. */
  multipleTimeframes?: boolean;
};

/**
 * Chooses a broker field or an indicator, and an indicator's parameters: the picker and the parameter modal in one.
 * Import it lazily: it brings Base UI along.
 */
export function AddIndicatorDialog(props: AddIndicatorDialogProps): ReactNode {
  const { open, moreFields = NO_FIELDS, multipleTimeframes = false } = props;
  const { step, query, setQuery, search, pick, back, save, close } = usePickerSteps(props);
  const formId = useId();
  useEffect(() => {
    if (open) void loadCatalogs();
  }, [open]);

  return (
    <DialogSheet
      open={open}
      title={step.kind === 'parameters' ? step.family.fullName : 'Select Indicator or Field'}
      onClose={close}
      initialFocus={search}
      footer={
        step.kind === 'parameters' && <ParameterButtons formId={formId} onBack={back} onCancel={close} />
      }
    >
      {step.kind === 'parameters' ? (
        <ParameterForm
          id={formId}
          family={step.family}
          timeframes={platformCatalog.value?.timeframes ?? []}
          multipleTimeframes={multipleTimeframes}
          onSave={(choices) => save(choices, step.isCandle)}
        />
      ) : (
        <PickerList
          query={query}
          moreFields={moreFields}
          searchRef={search}
          onQuery={setQuery}
          onPick={pick}
        />
      )}
    </DialogSheet>
  );
}

type ParameterButtonsProps = { formId: string; onBack(): void; onCancel(): void };

function ParameterButtons({ formId, onBack, onCancel }: ParameterButtonsProps): ReactNode {
  return (
    <>
      <Button className="add-indicator-back" onClick={onBack}>
        Back
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="primary" type="submit" form={formId}>
        Save
      </Button>
    </>
  );
}
