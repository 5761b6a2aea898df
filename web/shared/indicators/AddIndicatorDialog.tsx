import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { checkHtf } from '../../../src/domain/indicators/custom.ts';
import type { PickItem } from '../../../src/domain/indicators/picker.ts';
import type { Family, IndicatorChoice } from '../../../src/domain/indicators/types.ts';
import { customCatalog, loadCatalogs, platformCatalog } from './catalog.ts';
import { Button } from '../../ui/Button.tsx';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import './AddIndicatorDialog.css';
import { htfFamily } from './htfFamily.ts';
import { ParameterForm } from './ParameterForm.tsx';
import type { PickerResult } from './pickerResult.ts';
import { PickerList } from './PickerList.tsx';

export type AddIndicatorDialogProps = {
  open: boolean;
  onClose(): void;
  onAdd(result: PickerResult): void;
  /** Several timeframes may be chosen at once, which gives several indicators. */
  multipleTimeframes?: boolean;
};

/** The picker, or the parameters of the family that was chosen in it. */
type Step = { kind: 'picker' } | { kind: 'parameters'; family: Family; isCandle: boolean };

const PICKER: Step = { kind: 'picker' };

/**
 * Chooses a broker field or an indicator, and an indicator's parameters: the picker and the parameter modal in one.
 * Import it lazily: it brings Base UI along.
 */
export function AddIndicatorDialog(props: AddIndicatorDialogProps): ReactNode {
  const { open, onClose, onAdd, multipleTimeframes = false } = props;
  const [step, setStep] = useState(PICKER);
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const formId = useId();
  useEffect(() => {
    if (open) void loadCatalogs();
  }, [open]);

  const close = () => {
    onClose();
    setStep(PICKER);
    setQuery('');
  };
  const add = (result: PickerResult) => {
    onAdd(result);
    close();
  };
  const pick = (item: PickItem) => {
    if (item.kind === 'field') return add({ kind: 'field', key: item.key });
    if (item.kind === 'family') return setStep({ kind: 'parameters', family: item.family, isCandle: false });
    const candle = customCatalog.peek()?.families.htf_candle;
    if (candle) setStep({ kind: 'parameters', family: htfFamily(candle), isCandle: true });
  };
  const back = () => {
    // The search box has to be there before it can take the focus.
    flushSync(() => setStep(PICKER));
    search.current?.focus();
  };
  const save = (choices: IndicatorChoice[], isCandle: boolean) => {
    if (!isCandle) return add({ kind: 'indicator', choices });
    const choice = checkHtf(choices[0]?.params ?? {});
    if (choice) add({ kind: 'htf', choice });
  };

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
        <PickerList query={query} searchRef={search} onQuery={setQuery} onPick={pick} />
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
      <Button look="primary" type="submit" form={formId}>
        Save
      </Button>
    </>
  );
}
