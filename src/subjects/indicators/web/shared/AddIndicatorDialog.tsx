import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { loadCatalogs, platformCatalog, customCatalog } from './catalog.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import './AddIndicatorDialog.css';
import { ParameterForm } from './ParameterForm.tsx';
import type { PickerResult } from './pickerResult.ts';
import { PickerList } from './PickerList.tsx';
import type { FieldOption, Family, IndicatorChoice } from '#market/indicators/rules/types.ts';
import { flushSync } from 'react-dom';
import type { PickItem } from '#market/indicators/rules/picker.ts';
import { checkHtf } from '#market/indicators/rules/htfCandle.ts';
import type { CustomFamily } from '#subjects/indicators/answers/catalog.ts';

/** The custom family (htf_candle) in the shape of the others: it has parameters, but no timeframe and no delay. */
const htfFamily = ({ label, fullName, params }: CustomFamily): Family => ({
  family: 'htf_candle',
  familySlug: 'htf_candle',
  label,
  fullName,
  params,
  defaultTimeframes: [],
  timeframes: [],
  tvPrefix: '',
  tvSuffix: '',
  separator: '',
  ignoreParam: null,
  delaysAvailable: [],
  type: 'price',
  hasTimeframes: false,
});

/** The picker, or the parameters of the family that was chosen in it. */
type Step = { kind: 'picker' } | { kind: 'parameters'; family: Family; isCandle: boolean };

type PickerStepsInput = { onAdd(result: PickerResult): void; onClose(): void };

const PICKER: Step = { kind: 'picker' };

/** The way through the picker and the parameters; it begins again at the picker whenever it has come to its end. */
function usePickerSteps({ onAdd, onClose }: PickerStepsInput) {
  const [step, setStep] = useState(PICKER);
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);

  const close = () => {
    onClose();
    setStep(PICKER);
    setQuery('');
  };
  const add = (result: PickerResult) => {
    onAdd(result);
    close();
  };
  return {
    step,
    query,
    setQuery,
    /** For the search box. */
    search,
    close,
    pick(item: PickItem): void {
      if (item.kind === 'field') return add({ kind: 'field', key: item.key });
      if (item.kind === 'family')
        return setStep({ kind: 'parameters', family: item.family, isCandle: false });
      const candle = customCatalog.peek()?.families.htf_candle;
      if (candle) setStep({ kind: 'parameters', family: htfFamily(candle), isCandle: true });
    },
    back(): void {
      // Only once the picker is drawn again can its search box take the focus.
      flushSync(() => setStep(PICKER));
      search.current?.focus();
    },
    save(choices: IndicatorChoice[], isCandle: boolean): void {
      if (!isCandle) return add({ kind: 'indicator', choices });
      const choice = checkHtf(choices[0]?.params ?? {});
      if (choice) add({ kind: 'htf', choice });
    },
  };
}

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
