import { useRef } from 'react';
import {
  inputLimits,
  pickSymbol,
  setEntry,
  setStop,
  setStopType,
  setTarget,
  STOP_HELP_TEXTS,
  STOP_PLACEHOLDERS,
  STOP_TYPE_OPTIONS,
} from '../../../../src/domain/calls/callForm.ts';
import { formatCallPrice } from '../../../../src/domain/calls/callFormat.ts';
import { normaliseSymbol } from '../../../../src/domain/calls/callRules.ts';
import type { CallInput } from '../../../../src/domain/calls/types.ts';
import { livePrice, matchSymbols } from '../../../../src/domain/market/symbolSearch.ts';
import { stocks } from '../../../shared/live/market.ts';
import { NativeSelect } from '../../../ui/NativeSelect.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { SymbolBox } from '../../../shared/SymbolBox.tsx';
import { SwitchField } from '../../../ui/SwitchField.tsx';

type Field = 'symbol' | 'entry' | 'target' | 'stop';

type CallFieldsProps = {
  form: CallInput;
  /** The field that the shown error belongs to. */
  wrong: Field | null;
  onForm(form: CallInput): void;
};

const stopTypes = STOP_TYPE_OPTIONS.map(({ value, label }) => ({ id: value, label }));
const search = (typed: string): string[] => matchSymbols(typed, stocks.peek().keys());
const nameOf = (code: string): string => stocks.peek().get(code)?.name ?? '';
const isListed = (code: string): boolean => stocks.peek().has(code);
const priceOf = (symbol: string): number | null => livePrice(stocks.peek().get(normaliseSymbol(symbol)));

/** The fields of a call, with every assist of the form. */
export function CallFields({ form, wrong, onForm }: CallFieldsProps) {
  const limits = inputLimits(form);
  // Assists start from the form as it was when a box was entered, so that a half-typed number leaves no trace.
  const entered = useRef(form);
  const enter = () => {
    entered.current = form;
  };
  const hasStop = form.stopLossType !== 'NONE';

  return (
    <>
      <div className="call-symbol">
        <SymbolBox
          label="Symbol"
          name="symbol"
          placeholder="ASX code"
          maxLength={12}
          value={form.symbol}
          search={search}
          describe={nameOf}
          isKnown={isListed}
          isWrong={wrong === 'symbol'}
          onText={(symbol) => onForm({ ...form, symbol })}
          onPick={(symbol) => onForm(pickSymbol(form, symbol, priceOf(symbol)))}
        />
        <LivePrice symbol={form.symbol} />
      </div>
      <SwitchField
        label="Has your position been filled?"
        value={form.callType === 'bought'}
        onChange={(isFilled) => onForm({ ...form, callType: isFilled ? 'bought' : 'buy' })}
      />
      <div className="call-prices">
        <NumberField
          label="Entry Price"
          name="entry"
          value={form.entryPrice}
          limits={limits.entry}
          isWrong={wrong === 'entry'}
          onFocus={enter}
          onNumber={(value) => onForm(setEntry(entered.current, value))}
        />
        <NumberField
          label="Target Price"
          name="target"
          value={form.targetPrice}
          limits={limits.target}
          isWrong={wrong === 'target'}
          onFocus={enter}
          onNumber={(value) => onForm(setTarget(entered.current, value))}
        />
        <NativeSelect
          label="Stop Loss"
          value={form.stopLossType}
          options={stopTypes}
          onChoose={(type) => onForm(setStopType(form, type, priceOf(form.symbol)))}
        />
        <NumberField
          label="Stop loss value"
          name="stop"
          placeholder={STOP_PLACEHOLDERS[form.stopLossType]}
          value={form.stopLoss}
          limits={limits.stop}
          isWrong={wrong === 'stop'}
          disabled={!hasStop}
          onFocus={enter}
          onNumber={(value) => onForm(setStop(entered.current, value))}
        />
      </div>
      <p className="field-help">{STOP_HELP_TEXTS[form.stopLossType]}</p>
    </>
  );
}

/** The live price of the chosen symbol, which moves while the form is filled in. */
function LivePrice({ symbol }: { symbol: string }) {
  const stock = stocks.value.get(normaliseSymbol(symbol));
  return (
    <p className="muted call-live" aria-live="off">
      {stock ? `Last ${formatCallPrice(livePrice(stock))}` : ''}
    </p>
  );
}
