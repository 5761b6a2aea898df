import {
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { WholeMarketWatch } from '#web/live/WholeMarketWatch.tsx';
import { companyName, isLiveSymbol, searchLiveSymbols } from '#subjects/stock/web/shared/liveSymbols.ts';
import { SymbolBox } from '#subjects/stock/web/shared/SymbolBox.tsx';
import { Button } from '#ui/Button.tsx';
import { addSymbol, items, showFailure } from '../state.ts';
import './AddSymbol.css';

type AddSymbolProps = {
  box: RefObject<HTMLInputElement | null>;
  /** A symbol that was asked for is on the list already. */
  onKnown(symbol: string): void;
};

/**
 * Whether the form is in use: it has the focus, or something is typed. The box may be emptied after it was left: by
 * itself, or as its symbol is added.
 */
function useInUse(isEmpty: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const [isUsed, setUsed] = useState(false);
  // To pick what was typed in full while leaving the box is no wish to add it yet.
  const isLeaving = useRef(false);
  useEffect(() => {
    if (isEmpty && !form.current?.contains(document.activeElement)) setUsed(false);
  }, [isEmpty]);
  const handlers = {
    onFocus: () => setUsed(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (isEmpty && !currentTarget.contains(relatedTarget)) setUsed(false);
    },
    onBlurCapture: () => {
      isLeaving.current = true;
      queueMicrotask(() => {
        isLeaving.current = false;
      });
    },
  };
  return { form, isUsed, isLeaving, handlers };
}

/**
 * Adds a symbol: typed and sent with Enter or Add, or picked from the list, which adds it at once. While it is in use
 * the window is sent the whole market, whose symbols it completes from.
 */
export function AddSymbol({ box, onKnown }: AddSymbolProps): ReactNode {
  const [text, setText] = useState('');
  // What was typed since the symbol was sent stays.
  const clear = (symbol: string) => setText((now) => (normaliseSymbol(now) === symbol ? '' : now));
  const adding = useAdding({ onKnown, onTaken: clear });
  const { form, isUsed, isLeaving, handlers } = useInUse(text === '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    box.current?.focus();
    if (text.trim() !== '') void adding.add(text);
  };
  return (
    <form ref={form} className="add-symbol" onSubmit={submit} {...handlers}>
      {isUsed && <WholeMarketWatch />}
      <SymbolBox
        label="Add symbol"
        placeholder="Code or company"
        inputRef={box}
        value={text}
        search={searchLiveSymbols}
        describe={companyName}
        isKnown={isLiveSymbol}
        isWrong={adding.isWrong}
        onText={(typed) => {
          setText(typed);
          adding.forget();
        }}
        onPick={(symbol) => {
          setText(symbol);
          if (!isLeaving.current) void adding.add(symbol);
        }}
      />
      <AddButton isBusy={adding.isBusy} />
      <p className="visually-hidden" role="status">
        {adding.done}
      </p>
    </form>
  );
}

const AddButton = ({ isBusy }: { isBusy: boolean }): ReactNode => (
  <Button
    type="submit"
    disabled={isBusy}
    // The focus stays in the box, which otherwise empties itself before the click counts.
    onMouseDown={(event) => event.preventDefault()}
  >
    {isBusy ? 'Adding…' : 'Add'}
  </Button>
);

type AddingInput = { onKnown(symbol: string): void; onTaken(symbol: string): void };

/**
 * Sends a symbol to be added, and says what became of it. The server checks it: a window's own list may be half there,
 * or older than a stock that has just come.
 */
function useAdding({ onKnown, onTaken }: AddingInput) {
  const [isBusy, setBusy] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const [done, setDone] = useState('');

  const send = async (symbol: string): Promise<void> => {
    setDone('');
    setWrong(false);
    showFailure(null);
    if (items.peek()?.some((item) => item.symbol === symbol)) {
      setDone(`${symbol} is already on your watchlist.`);
      onTaken(symbol);
      return onKnown(symbol);
    }
    const refusal = await addSymbol(symbol);
    if (refusal !== null) {
      setWrong(refusal.field === 'symbol');
      return showFailure(refusal.message);
    }
    setDone(`${symbol} was added to your watchlist.`);
    onTaken(symbol);
  };

  return {
    async add(typed: string): Promise<void> {
      setBusy(true);
      await send(normaliseSymbol(typed));
      setBusy(false);
    },
    /** Another symbol is being typed. */
    forget: () => setWrong(false),
    isBusy,
    isWrong,
    done,
  };
}
