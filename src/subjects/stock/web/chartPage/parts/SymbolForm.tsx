import { type FormEvent, type ReactNode, type RefObject, useState } from 'react';
import { checkLiveSymbol } from '../../../../../market/rules/liveSymbols.ts';
import { stocks } from '../../../../../../web/live/market.ts';
import { WholeMarketWatch } from '../../../../../../web/live/WholeMarketWatch.tsx';
import { companyName, isLiveSymbol, searchLiveSymbols } from '../../shared/liveSymbols.ts';
import { SymbolBox } from '../../shared/SymbolBox.tsx';
import './SymbolForm.css';

type SymbolFormProps = { box: RefObject<HTMLInputElement | null>; onChoose(code: string): void };

/** Takes another symbol, picked from the list or typed and sent with Enter. */
export function SymbolForm({ box, onChoose }: SymbolFormProps): ReactNode {
  const [isUsed, setUsed] = useState(false);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const choose = (typed: string) => {
    const checked = checkLiveSymbol(typed, stocks.peek());
    if (!checked.ok)
      return setProblem(
        stocks.peek().size === 0 ? checked.error.message : 'Unknown code: choose one from the list',
      );
    setProblem(null);
    setText('');
    onChoose(checked.value);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') choose(text);
  };
  return (
    <form
      className="symbol-form"
      onSubmit={submit}
      onFocus={() => setUsed(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setUsed(false);
      }}
    >
      {isUsed && <WholeMarketWatch />}
      <SymbolBox
        label="Symbol"
        placeholder="Code or company"
        inputRef={box}
        value={text}
        search={searchLiveSymbols}
        describe={companyName}
        isKnown={isLiveSymbol}
        isWrong={problem !== null}
        onText={(typed) => {
          setText(typed);
          setProblem(null);
        }}
        onPick={choose}
      />
      {/* Without one Enter sends nothing. */}
      <button type="submit" className="visually-hidden" tabIndex={-1}>
        Show
      </button>
      <p className="symbol-form-problem" role="status">
        {problem}
      </p>
    </form>
  );
}
