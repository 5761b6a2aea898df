import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PickItem } from '../../../../market/indicators/rules/picker.ts';
import type { Family, IndicatorChoice } from '../../../../market/indicators/rules/types.ts';
import { customCatalog } from './catalog.ts';
import { htfFamily } from './htfFamily.ts';
import type { PickerResult } from './pickerResult.ts';
import { checkHtf } from '../../../../market/indicators/rules/htfCandle.ts';

/** The picker, or the parameters of the family that was chosen in it. */
type Step = { kind: 'picker' } | { kind: 'parameters'; family: Family; isCandle: boolean };

type PickerStepsInput = { onAdd(result: PickerResult): void; onClose(): void };

const PICKER: Step = { kind: 'picker' };

/** The way through the picker and the parameters; it begins again at the picker whenever it has come to its end. */
export function usePickerSteps({ onAdd, onClose }: PickerStepsInput) {
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
