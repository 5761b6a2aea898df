import { useEffect, useRef } from 'react';
import { CLEAR_AFTER_MS, MIN_SEARCH_LENGTH } from '#market/rules/symbolSearch.ts';
import { Combobox, type ComboboxProps } from '#ui/Combobox.tsx';
import { liveCount } from './liveSymbols.ts';

type SymbolBoxProps = Omit<
  ComboboxProps,
  'options' | 'minLength' | 'maxLength' | 'listWidth' | 'onFocus' | 'onBlur' | 'onEnter'
> & {
  /** Codes that start with what was typed, then those of companies that are called so. */
  search(typed: string): readonly string[];
  isKnown(code: string): boolean;
};

/** Room for a company's name; the server reads no longer ones. */
const MAX_LENGTH = 40;
/** px, for the names beside the codes. */
const LIST_WIDTH = 280;

/** What is done with a code as it is typed, picked, entered or left. */
function usePicking({ search, isKnown, value, onText, onPick }: SymbolBoxProps) {
  const picked = useRef(value);
  const clearing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(clearing.current), []);
  // What is clearing the box must know what was chosen beside it since it was left.
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
      // At once, not after the delay: what is typed into the next box must not be overwritten.
      if (isUnpicked()) pick(code);
      else if (value !== '' && !isKnown(code))
        clearing.current = setTimeout(() => newestOnText.current(''), CLEAR_AFTER_MS);
    },
    /** The code that Enter takes; null when it takes none. */
    meant: () => (isUnpicked() ? code : onlyNamed(search(value), code)),
  };
}

/** The only code found, when what was typed is the name of its company. */
function onlyNamed([found, ...more]: readonly string[], code: string): string | null {
  return found !== undefined && more.length === 0 && !found.startsWith(code) ? found : null;
}

/**
 * A box for a listed code (specification, section 5): completes by prefix from two characters, in upper case, and by the
 * company's name. A code typed in full counts as picked; left with something that is not listed the box clears itself
 * after 75 ms. Enter takes the company that was typed when only one is called so.
 */
export function SymbolBox(props: SymbolBoxProps) {
  const { search, value } = props;
  // Whoever types before the list came is shown what it has once it is there.
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
