import { type ReactNode, useEffect, useId, useState } from 'react';
import { checkHtf } from '../../../src/domain/indicators/htfCandle.ts';
import type { Family } from '../../../src/domain/indicators/types.ts';
import { customCatalog, loadCatalogs, platformCatalog } from './catalog.ts';
import { Button } from '../../ui/Button.tsx';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import { ParameterForm } from './ParameterForm.tsx';
import { type Picked } from './picked.ts';
import { PickerList } from './PickerList.tsx';

export type AddIndicatorDialogProps = {
  open: boolean;
  onClose(): void;
  onAdd(picked: Picked): void;
  /** Several timeframes may be chosen at once: one column each. */
  several: boolean;
};

type Step = { kind: 'pick' } | { kind: 'family'; family: Family } | { kind: 'htf' };

/** Chooses a field or an indicator, and an indicator's parameters: the picker and the parameter modal in one. */
export function AddIndicatorDialog({ open, onClose, onAdd, several }: AddIndicatorDialogProps): ReactNode {
  const [step, setStep] = useState<Step>({ kind: 'pick' });
  const [query, setQuery] = useState('');
  const formId = useId();
  const custom = customCatalog.value;
  const platform = platformCatalog.value;
  useEffect(() => {
    if (open) void loadCatalogs();
  }, [open]);

  const end = () => {
    onClose();
    setStep({ kind: 'pick' });
    setQuery('');
  };
  const add = (picked: Picked) => {
    onAdd(picked);
    end();
  };
  const back = () => setStep({ kind: 'pick' });
  const isParameters = step.kind !== 'pick';

  return (
    <DialogSheet
      open={open}
      title={titleOf(step, custom?.families.htf_candle.fullName)}
      onClose={end}
      footer={
        isParameters && (
          <>
            <Button className="dialog-back" onClick={back}>
              Back
            </Button>
            <Button onClick={end}>Cancel</Button>
            <Button look="primary" type="submit" form={formId}>
              Save
            </Button>
          </>
        )
      }
    >
      {step.kind === 'pick' && (
        <PickerList
          query={query}
          onQuery={setQuery}
          onPick={(item) => {
            if (item.kind === 'field') add({ kind: 'field', key: item.key });
            else setStep(item.kind === 'htf' ? { kind: 'htf' } : { kind: 'family', family: item.family });
          }}
        />
      )}
      {step.kind === 'family' && (
        <ParameterForm
          id={formId}
          family={step.family}
          timeframes={platform?.timeframes ?? []}
          several={several}
          onSave={(choices) => add({ kind: 'indicator', choices })}
        />
      )}
      {step.kind === 'htf' && custom && (
        <ParameterForm
          id={formId}
          family={htfFamily(custom.families.htf_candle)}
          timeframes={[]}
          several={false}
          onSave={(choices) => {
            const choice = checkHtf(choices[0]?.params ?? {});
            if (choice) add({ kind: 'htf', choice });
          }}
        />
      )}
    </DialogSheet>
  );
}

function titleOf(step: Step, htfName: string | undefined): string {
  if (step.kind === 'family') return step.family.fullName;
  return step.kind === 'htf' ? (htfName ?? 'Higher-timeframe candle') : 'Select Indicator or Field';
}

/** The custom family in the shape of the others: parameters, but no timeframe and no delay. */
const htfFamily = ({ label, fullName, params }: Pick<Family, 'label' | 'fullName' | 'params'>): Family => ({
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
