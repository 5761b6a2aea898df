import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ComponentProps, useId, useState } from 'react';
import { Field } from './Field.tsx';
import './Combobox.css';

export type ComboboxProps = Pick<
  ComponentProps<'input'>,
  'id' | 'name' | 'placeholder' | 'maxLength' | 'autoCapitalize' | 'onFocus' | 'onBlur' | 'onKeyDown'
> & {
  label: string;
  /** What stands in the box. */
  value: string;
  /** What it can be completed to, best first. */
  options: readonly string[];
  /** From how many characters on there are options. */
  minLength?: number;
  /** A second text behind an option. */
  describe?(option: string): string;
  onText(text: string): void;
  /** An option was chosen from the list. */
  onPick(option: string): void;
  isWrong?: boolean;
};

/**
 * A text box that completes from a list, by keyboard and pointer; any text may stand in it, and the caller says what
 * matches. Import it lazily: it brings Base UI along.
 */
export function Combobox(props: ComboboxProps) {
  const { label, value, options, minLength = 1, describe, onText, onPick, isWrong, onBlur, ...input } = props;
  const ownId = useId();
  const id = input.id ?? ownId;
  const [isOpen, setOpen] = useState(false);
  const change = (text: string, reason: string) => {
    if (reason === 'item-press') onPick(text);
    // Escape belongs to the dialog around the box once the list is closed.
    else if (reason !== 'escape-key') onText(text);
  };
  return (
    <Field id={id} label={label}>
      <Autocomplete.Root
        items={options}
        filter={null}
        value={value}
        onValueChange={(text, { reason }) => change(text, reason)}
        open={isOpen && options.length > 0}
        onOpenChange={setOpen}
      >
        <Autocomplete.Input
          {...input}
          id={id}
          className="input"
          // While the list is open all else is hidden from assistive technology, the visible label too.
          aria-label={label}
          aria-invalid={isWrong || undefined}
          autoComplete="off"
          spellCheck={false}
          onBlur={(event) => {
            setOpen(false);
            onBlur?.(event);
          }}
        />
        <OptionList label={label} describe={describe} />
      </Autocomplete.Root>
      <span className="visually-hidden" role="status" aria-live="polite">
        {isOpen &&
          value.length >= minLength &&
          (options.length === 0 ? 'No matches' : `${options.length} matches`)}
      </span>
    </Field>
  );
}

function OptionList({ label, describe }: { label: string; describe: ComboboxProps['describe'] }) {
  return (
    <Autocomplete.Portal>
      <Autocomplete.Positioner className="combobox" sideOffset={2}>
        <Autocomplete.Popup>
          <Autocomplete.List className="combobox-list" render={<ul />} aria-label={label}>
            {(option: string) => (
              <Autocomplete.Item key={option} value={option} className="combobox-option" render={<li />}>
                <span className="combobox-entry">{option}</span>
                {describe && <span className="muted combobox-about">{describe(option)}</span>}
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  );
}
