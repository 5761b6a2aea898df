import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ComponentProps, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { Field } from './Field.tsx';

export type ComboboxProps = Pick<
  ComponentProps<'input'>,
  'id' | 'name' | 'placeholder' | 'maxLength' | 'autoCapitalize' | 'onFocus' | 'onBlur'
> & {
  label: string;
  value: string;
  options: readonly string[];
  /** Number of characters before options appear. */
  minLength?: number;
  describe?(option: string): string;
  onText(text: string): void;
  onPick(option: string): void;
  /** Called for Enter without a highlighted option. */
  onEnter?(event: KeyboardEvent): void;
  isWrong?: boolean;
  opensByClick?: boolean;
  /** Minimum width of the list, px, for options longer than the field. */
  listWidth?: number;
  inputRef?: RefObject<HTMLInputElement | null>;
};

/** A text field with completions; the caller filters. Import it lazily, because it loads Base UI. */
export function Combobox(props: ComboboxProps) {
  const { label, value, options, minLength = 1 } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const [isOpen, setOpen] = useState(false);
  const highlighted = useRef<string>(undefined);
  return (
    <Field id={id} label={label}>
      <Autocomplete.Root
        items={options}
        filter={null}
        value={value}
        onValueChange={(text, { reason }) => change(props, text, reason)}
        open={isOpen && options.length > 0}
        openOnInputClick={props.opensByClick ?? false}
        onOpenChange={setOpen}
        onItemHighlighted={(option) => {
          highlighted.current = option;
        }}
      >
        <TextBox {...props} id={id} highlighted={highlighted} onLeave={() => setOpen(false)} />
        <OptionList label={label} describe={props.describe} width={props.listWidth} />
      </Autocomplete.Root>
      <span className="visually-hidden" role="status" aria-live="polite">
        {isOpen && value.length >= minLength && countText(options.length)}
      </span>
    </Field>
  );
}

type TextBoxProps = ComboboxProps & {
  highlighted: RefObject<string | undefined>;
  onLeave(): void;
};

function TextBox({ label, isWrong = false, highlighted, onEnter, onBlur, onLeave, ...props }: TextBoxProps) {
  const { id, name, placeholder, maxLength, autoCapitalize, onFocus } = props;
  return (
    <Autocomplete.Input
      id={id}
      name={name}
      placeholder={placeholder}
      maxLength={maxLength}
      autoCapitalize={autoCapitalize}
      onFocus={onFocus}
      ref={props.inputRef}
      className="input"
      // An open list hides everything else from screen readers, including the visible label.
      aria-label={label}
      aria-invalid={isWrong || undefined}
      autoComplete="off"
      spellCheck={false}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && highlighted.current === undefined) onEnter?.(event);
      }}
      onBlur={(event) => {
        onLeave();
        onBlur?.(event);
      }}
    />
  );
}

function change({ onPick, onText }: ComboboxProps, text: string, reason: string): void {
  if (reason === 'item-press') onPick(text);
  // Base UI would clear the field. If the list is closed, Escape belongs to the dialog.
  else if (reason !== 'escape-key') onText(text);
}

const countText = (count: number): string =>
  count === 0 ? 'No matches' : count === 1 ? '1 match' : `${count} matches`;

type OptionListProps = { label: string; describe: ComboboxProps['describe']; width: number | undefined };

function OptionList({ label, describe, width }: OptionListProps) {
  return (
    <Autocomplete.Portal role="region" aria-label="Suggestions">
      <Autocomplete.Positioner className="combobox" sideOffset={2} style={{ minWidth: width }}>
        <Autocomplete.Popup>
          <Autocomplete.List className="combobox-list popup" render={<ul />} aria-label={label}>
            {(option: string) => (
              <Autocomplete.Item key={option} value={option} className="option" render={<li />}>
                <b>{option}</b>
                {describe && <span className="ellipsis muted small">{describe(option)}</span>}
              </Autocomplete.Item>
            )}
          </Autocomplete.List>
        </Autocomplete.Popup>
      </Autocomplete.Positioner>
    </Autocomplete.Portal>
  );
}
