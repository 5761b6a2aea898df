import { useEffect, useRef } from 'react';
import { CLEAR_AFTER_MS, MIN_SEARCH_LENGTH, searchSymbols } from '#market/rules/liveSymbols.ts';
import { Combobox, type ComboboxProps } from '#ui/Combobox.tsx';
import { computed, type ReadonlySignal } from '@preact/signals-react';
import { meta, stocks } from '#web/live/market.ts';

type SymbolBoxProps = Omit<
  ComboboxProps,
  'options' | 'minLength' | 'maxLength' | 'listWidth' | 'onFocus' | 'onBlur' | 'onEnter'
> & {
  /** Returns codes that start with the text, then codes of companies with that name. */
  search(typed: string): readonly string[];
  isKnown(code: string): boolean;
};

/** Long enough for a company's name. The server reads at most this many characters. */
const MAX_LENGTH = 40;
const LIST_WIDTH = 280;

function usePicking({ search, isKnown, value, onText, onPick }: SymbolBoxProps) {
  const picked = useRef(value);
  const clearing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(clearing.current), []);
  // The delayed clear must use the newest handler, because other fields may have changed by then.
  const newestOnText = useRef(onText);
  useEffect(() => {
    newestOnText.current = onText;
  }, [onText]);
  const code = value.trim();
  const isUnpicked = () => picked.current !== code && isKnown(code);
  const pick = (chosen: string) => {
    picked.current = chosen;
    onPick(chosen);
  };
  return {
    pick,
    type: (text: string): void => {
      picked.current = '';
      onText(text.toUpperCase());
    },
    come: () => clearTimeout(clearing.current),
    leave: (): void => {
      // Picked immediately, because after the delay it could overwrite text in the next field.
      if (isUnpicked()) pick(code);
      else if (value !== '' && !isKnown(code))
        clearing.current = setTimeout(() => newestOnText.current(''), CLEAR_AFTER_MS);
    },
    meant: () => (isUnpicked() ? code : onlyNamed(search(value), code)),
  };
}

/** The only match, if the text is the name of that company; otherwise null. */
function onlyNamed([found, ...more]: readonly string[], code: string): string | null {
  return found !== undefined && more.length === 0 && !found.startsWith(code) ? found : null;
}

/**
 * A field for a listed code (specification, section 5). It suggests codes from two characters, in upper case, and
 * companies by name. A completely typed code counts as picked. If it contains an unlisted code on blur, it is cleared
 * after 75 ms. Enter picks a company name that only one company has.
 */
export function SymbolBox(props: SymbolBoxProps) {
  const { search, value } = props;
  // A dependency, so that suggestions are rendered again when the list arrives.
  void liveCount.value;
  const { pick, type, come, leave, meant } = usePicking(props);
  return (
    <Combobox
      {...props}
      autoCapitalize="characters"
      maxLength={MAX_LENGTH}
      listWidth={LIST_WIDTH}
      value={value}
      options={search(value)}
      minLength={MIN_SEARCH_LENGTH}
      onText={type}
      onPick={pick}
      onFocus={come}
      onBlur={leave}
      onEnter={(event) => {
        const entered = meant();
        if (entered === null) return;
        event.preventDefault();
        pick(entered);
      }}
    />
  );
}

const liveCount: ReadonlySignal<number> = computed(() => stocks.value.size);

export const searchLiveSymbols = (typed: string): string[] => searchSymbols(typed, stocks.peek());

/** @param symbol in upper case */
export const isLiveSymbol = (symbol: string): boolean => stocks.peek().has(symbol);

/** Whether the server has sent a live list. A window that watches few stocks has only a part of it. */
export const hasLiveList = (): boolean => (meta.peek()?.stockCount ?? 0) > 0;

export const companyName = (symbol: string): string => stocks.peek().get(symbol)?.name ?? '';
