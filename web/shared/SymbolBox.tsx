import { useEffect, useRef } from 'react';
import { CLEAR_AFTER_MS, MIN_SEARCH_LENGTH } from '../../src/domain/market/symbolSearch.ts';
import { Combobox, type ComboboxProps } from '../ui/Combobox.tsx';

type SymbolBoxProps = Omit<ComboboxProps, 'options' | 'minLength' | 'onFocus' | 'onBlur' | 'onEnter'> & {
  /** Codes that start with what was typed, best first. */
  search(typed: string): readonly string[];
  isKnown(code: string): boolean;
};

/**
 * A box for a listed code (specification, section 5): completes by prefix from two characters, in upper case. A code
 * typed in full counts as picked; left with something that is not listed the box clears itself after 75 ms.
 */
export function SymbolBox({ search, isKnown, value, onText, onPick, ...box }: SymbolBoxProps) {
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
  const type = (text: string) => {
    picked.current = '';
    onText(text.toUpperCase());
  };
  const leave = () => {
    // At once, not after the delay: what is typed into the next box must not be overwritten.
    if (isUnpicked()) pick(code);
    else if (value !== '' && !isKnown(code))
      clearing.current = setTimeout(() => newestOnText.current(''), CLEAR_AFTER_MS);
  };
  return (
    <Combobox
      {...box}
      autoCapitalize="characters"
      value={value}
      options={search(value)}
      minLength={MIN_SEARCH_LENGTH}
      onText={type}
      onPick={pick}
      onFocus={() => clearTimeout(clearing.current)}
      onBlur={leave}
      onEnter={(event) => {
        if (!isUnpicked()) return;
        event.preventDefault();
        pick(code);
      }}
    />
  );
}
