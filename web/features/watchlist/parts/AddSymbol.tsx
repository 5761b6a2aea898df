import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { checkLiveSymbol } from '../../../../src/domain/market/liveSymbols.ts';
import { meta, stocks } from '../../../shared/live/market.ts';
import { useWatch } from '../../../shared/live/useWatch.ts';
import { companyName, isLiveSymbol, searchLiveSymbols } from '../../../shared/liveSymbols.ts';
import { SymbolBox } from '../../../shared/SymbolBox.tsx';
import { Button } from '../../../ui/Button.tsx';
import { addSymbol, items, showFailure } from '../state.ts';
import './AddSymbol.css';

type AddSymbolProps = {
  box: RefObject<HTMLInputElement | null>;
  /** A symbol that was asked for is on the list already. */
  onKnown(symbol: string): void;
};

/**
 * Adds a symbol: typed and sent with Enter or Add, or picked from the list, which adds it at once. While it is in use
 * the window is sent the whole market, whose symbols it completes from.
 */
export function AddSymbol({ box, onKnown }: AddSymbolProps): ReactNode {
  const [isUsed, setUsed] = useState(false);
  const [text, setText] = useState('');
  const adding = useAdding({ onKnown, onTaken: () => setText('') });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The box may be emptied after it was left: by itself, or as its symbol is added.
    if (text === '' && !form.current?.contains(document.activeElement)) setUsed(false);
  }, [text]);
  // To pick what was typed in full while leaving the box is no wish to add it yet.
  const isLeaving = useRef(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    box.current?.focus();
    if (text.trim() !== '') adding.add(text);
  };
  return (
    <form
      ref={form}
      className="add-symbol"
      onSubmit={submit}
      onFocus={() => setUsed(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (text === '' && !currentTarget.contains(relatedTarget)) setUsed(false);
      }}
      onBlurCapture={() => {
        isLeaving.current = true;
        queueMicrotask(() => {
          isLeaving.current = false;
        });
      }}
    >
      {isUsed && <MarketWatch onReady={adding.setReady} />}
      <SymbolBox
        label="Add symbol"
        placeholder="ASX code"
        maxLength={12}
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
          if (!isLeaving.current) adding.add(symbol);
        }}
      />
      <Button
        type="submit"
        disabled={adding.isBusy}
        // The focus stays in the box, which otherwise empties itself before the click counts.
        onMouseDown={(event) => event.preventDefault()}
      >
        {adding.isBusy ? 'Adding…' : 'Add'}
      </Button>
      <p className="visually-hidden" role="status">
        {adding.done}
      </p>
    </form>
  );
}

/** The rest of the market follows its first part within half a second; a server that counts otherwise is not awaited. */
const MAX_WAIT_MS = 1500;

/** Has every symbol sent, and says whether they are there, or nothing is known of the market. */
function MarketWatch({ onReady }: { onReady(isReady: boolean): void }): ReactNode {
  const hasAll = useWatch({ all: true });
  const isWhole = hasAll && stocks.value.size >= (meta.value?.stockCount ?? 0);
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    if (!hasAll) return;
    const timer = setTimeout(() => setWaited(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, [hasAll]);
  const isReady = isWhole || hasWaited || meta.value === null;
  useEffect(() => onReady(isReady), [isReady, onReady]);
  useEffect(() => () => onReady(false), [onReady]);
  return null;
}

type AddingInput = { onKnown(symbol: string): void; onTaken(): void };

/** Sends a symbol to be added, once there is a list to check it by, and says what became of it. */
function useAdding({ onKnown, onTaken }: AddingInput) {
  const isReady = useRef(false);
  const asked = useRef<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isWrong, setWrong] = useState(false);
  const [done, setDone] = useState('');

  const send = async (typed: string): Promise<void> => {
    asked.current = null;
    setDone('');
    const checked = checkLiveSymbol(typed, stocks.peek());
    setWrong(!checked.ok);
    if (!checked.ok) return showFailure(checked.error.message);
    const symbol = checked.value;
    showFailure(null);
    if (items.peek()?.some((item) => item.symbol === symbol)) {
      setDone(`${symbol} is on your watchlist already.`);
      onTaken();
      return onKnown(symbol);
    }
    const failure = await addSymbol(symbol);
    if (failure !== null) return showFailure(failure);
    setDone(`${symbol} was added to your watchlist.`);
    onTaken();
  };
  const sendBusily = async (typed: string): Promise<void> => {
    setBusy(true);
    await send(typed);
    setBusy(false);
  };

  const newest = useRef(sendBusily);
  useEffect(() => {
    newest.current = sendBusily;
  });

  return {
    add(typed: string): void {
      if (isReady.current) void sendBusily(typed);
      else {
        asked.current = typed;
        setBusy(true);
      }
    },
    setReady: useCallback((ready: boolean) => {
      isReady.current = ready;
      if (ready && asked.current !== null) void newest.current(asked.current);
    }, []),
    /** Another symbol is being typed. */
    forget(): void {
      setWrong(false);
      if (asked.current === null) return;
      asked.current = null;
      setBusy(false);
    },
    isBusy,
    isWrong,
    done,
  };
}
