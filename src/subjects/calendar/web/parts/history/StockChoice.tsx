import { type ReactNode, useRef, useState } from 'react';
import { WholeMarketWatch } from '#web/live/WholeMarketWatch.tsx';
import { Button } from '#ui/Button.tsx';
import { companyName, isLiveSymbol, searchLiveSymbols } from '#subjects/stock/web/shared/liveSymbols.ts';
import { SymbolBox } from '#subjects/stock/web/shared/SymbolBox.tsx';
import { choices, choose } from '#subjects/calendar/web/choices.ts';

/** Chooses the stock whose moves stand beside the market's, in every event. */
export function StockChoice(): ReactNode {
  const { stock } = choices.value;
  // Null while nothing is typed: the box says what is chosen.
  const [text, setText] = useState<string | null>(null);
  const [isUsed, setUsed] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const pick = (code: string) => {
    setText(null);
    choose({ stock: code });
  };
  const leave = () => {
    setText(null);
    choose({ stock: null });
    // The button goes with what it takes away.
    box.current?.focus();
  };
  return (
    <div className="history-stock" onFocus={() => setUsed(true)}>
      {isUsed && <WholeMarketWatch />}
      <SymbolBox
        label="Also show a stock"
        placeholder="Code or company"
        value={text ?? stock ?? ''}
        search={searchLiveSymbols}
        describe={companyName}
        isKnown={isLiveSymbol}
        onText={setText}
        onPick={pick}
        inputRef={box}
      />
      {stock !== null && (
        <Button variant="quiet" onClick={leave}>
          Without {stock}
        </Button>
      )}
    </div>
  );
}
