import X from 'lucide-react/icons/x';
import { type ReactNode, lazy, Suspense, useState, type KeyboardEvent, useId, useRef } from 'react';
import { SECURITIES } from '#market/rules/securities.ts';
import {
  GAPS,
  PRICE_GROUPS,
  type ScannerFilters,
  toggleGroup,
  toggleNews,
} from '#market/scanners/rules/filters.ts';
import type { FilterBarProps } from './FilterBar.tsx';
import ListChecks from 'lucide-react/icons/list-checks';
import { withStyles } from '#web/shared/lateStyles.ts';
import { formatNumber } from '#texts/format.ts';
import { describedBy, RangeInput } from '#ui/Field.tsx';
import { notNumeric, parseQuantity } from '#lib/numericInput.ts';

const HELP = 'Write it like 5000, 250k or 1.5m.';

type MinValueBoxProps = { value: number; onChange(value: number): void };

/** The text of the box and its message; null while the text is valid. */
function useTypedValue({ value, onChange }: MinValueBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const understood = typed === null ? value : parseQuantity(typed);
  const isWrong = typed !== null && typed.trim() !== '' && (understood === null || understood < 0);
  const take = () => {
    if (typed === null || isWrong) return;
    setTyped(null);
    const next = Math.round(understood ?? 0);
    if (next !== value) onChange(next);
  };
  return { typed, setTyped, take, error: isWrong ? wrongText(typed, understood) : null };
}

/**
 * The minimum value as a number to type, which counts once the box is left, or by Enter; Escape takes it back. A text that is
 * no number stays, with a sentence below.
 */
function MinValueBox(props: MinValueBoxProps): ReactNode {
  const id = useId();
  const { typed, setTyped, take, error } = useTypedValue(props);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') take();
    if (event.key === 'Escape') setTyped(null);
  };
  return (
    <span className="filter-value-box">
      <input
        className="input is-small"
        type="text"
        inputMode="decimal"
        aria-label="Min value in dollars"
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy(id, { error })}
        title={HELP}
        autoComplete="off"
        spellCheck={false}
        maxLength={24}
        value={typed ?? `$${formatNumber(props.value, 0)}`}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={onKeyDown}
      />
      {error !== null && (
        <span className="filter-value-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </span>
  );
}

const wrongText = (typed: string, understood: number | null): string =>
  understood === null ? notNumeric(typed, HELP) : 'The minimum value is $0 or more.';

type MinValueSliderProps = {
  value: number;
  /** The end that today's values suggest. */
  max: number;
  onChange(value: number): void;
};

const STEPS = 100;

const STEPS_OF_KEY: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
};

/** Binary fractions leave a rounding error in a hundredth. */
const isWhole = (steps: number): boolean => Math.abs(steps - Math.round(steps)) < 1e-9;

/** The value this many steps on, from the nearest step in that direction where it stands between two. */
function stepsOn(at: number, by: number): number {
  const from = isWhole(at) ? Math.round(at) : by > 0 ? Math.floor(at) : Math.ceil(at);
  return Math.min(STEPS, Math.max(0, from + by));
}

/** The minimum-value filter, AUD: a slider, whose end follows the market but never under a hand that is dragging, and a box. */
function MinValueSlider({ value, max, onChange }: MinValueSliderProps): ReactNode {
  const [isHeld, setHeld] = useState(false);
  const end = useRef(max);
  if (!isHeld) end.current = Math.max(max, value);
  const step = end.current / STEPS;
  const put = (steps: number) => onChange(Math.round(steps * step));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = STEPS_OF_KEY[event.key];
    if (by === undefined) return;
    event.preventDefault();
    put(stepsOn(value / step, by));
  };
  return (
    <div className="filter-slider">
      <span aria-hidden="true">Min value</span>
      <RangeInput
        aria-label="Min value"
        min={0}
        max={end.current}
        // A value between two steps stays what it is: the browser would show, and read out, the next one.
        step={isWhole(value / step) ? step : 'any'}
        value={value}
        aria-valuetext={`$${formatNumber(value, 0)}`}
        onChange={(event) => put(Math.round(event.target.valueAsNumber / step))}
        onKeyDown={onKeyDown}
        onPointerDown={() => setHeld(true)}
        onPointerUp={() => setHeld(false)}
        onPointerCancel={() => setHeld(false)}
        onBlur={() => setHeld(false)}
      />
      <MinValueBox value={value} onChange={onChange} />
    </div>
  );
}

const ListFilterMenu = lazy(() =>
  withStyles(import('./ListFilterMenu.tsx')).then((code) => ({ default: code.ListFilterMenu })),
);

/** Opens the choice of the lists that the scanner is filtered by. */
function ListFilter({ filters, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => {
    setAnchor(null);
    anchor?.focus({ preventScroll: true });
  };
  return (
    <>
      <button
        type="button"
        className="tool filter-lists"
        aria-label="Only my lists"
        title="Only my lists"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-pressed={filters.lists !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <ListChecks size={15} aria-hidden />
        <span>Only my lists</span>
      </button>
      {anchor && (
        <Suspense fallback={null}>
          <ListFilterMenu
            anchor={anchor}
            chosen={filters.lists}
            onChoose={(lists) => onChange({ ...filters, lists })}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}

type ChoicesProps = Pick<FilterBarProps, 'filters' | 'onChange' | 'hasPriceGroup' | 'sliderMax'>;

/** Every filter but the text. */
export function Choices(props: ChoicesProps): ReactNode {
  const { filters, onChange, sliderMax } = props;
  const change = (part: Partial<ScannerFilters>) => onChange({ ...filters, ...part });
  return (
    <>
      {props.hasPriceGroup && <PreMarketChoices filters={filters} onChange={change} />}
      <Group legend="Shares or funds">
        {SECURITIES.map(({ id, label }) => (
          <Toggle key={label} isOn={filters.securities === id} onClick={() => change({ securities: id })}>
            {label}
          </Toggle>
        ))}
      </Group>
      <Group legend="News">
        <Toggle isOn={filters.newsOnly} onClick={() => onChange(toggleNews(filters, 'newsOnly'))}>
          News Only
        </Toggle>
        <Toggle
          isOn={filters.sensitiveOnly === true}
          onClick={() => onChange(toggleNews(filters, 'sensitiveOnly'))}
        >
          Price sensitive only
        </Toggle>
      </Group>
      <ListFilter filters={filters} onChange={onChange} />
      <MinValueSlider
        value={filters.minValue}
        max={sliderMax}
        onChange={(minValue) => change({ minValue })}
      />
    </>
  );
}

type ChipsProps = Pick<FilterBarProps, 'filters' | 'onChange' | 'textRef' | 'listsLabel'>;

/** Which of the user's lists are chosen, with a cross that shows all stocks again. */
export function ListsChip({ filters, onChange, textRef, listsLabel }: ChipsProps): ReactNode {
  if (!filters.lists) return null;
  const remove = () => {
    onChange({ ...filters, lists: undefined });
    textRef.current?.focus();
  };
  return (
    <button
      type="button"
      className="tool is-on"
      aria-label={`Remove the filter ${listsLabel}`}
      onClick={remove}
    >
      {listsLabel} <X size={13} aria-hidden="true" />
    </button>
  );
}

type PreMarketChoicesProps = { filters: ScannerFilters; onChange(part: Partial<ScannerFilters>): void };

function PreMarketChoices({ filters, onChange }: PreMarketChoicesProps): ReactNode {
  return (
    <>
      <Group legend="Gaps">
        {GAPS.map(({ id, label }) => (
          <Toggle key={label} isOn={filters.gaps === id} onClick={() => onChange({ gaps: id })}>
            {label}
          </Toggle>
        ))}
      </Group>
      <Group legend="Price">
        {PRICE_GROUPS.map(({ id, label }) => (
          <Toggle
            key={label}
            name={id === null ? 'All prices' : undefined}
            isOn={filters.priceGroup === id}
            onClick={() => onChange({ priceGroup: toggleGroup(filters.priceGroup, id) })}
          >
            {label}
          </Toggle>
        ))}
      </Group>
    </>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }): ReactNode {
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{legend}</legend>
      {children}
    </fieldset>
  );
}

type ToggleProps = {
  isOn: boolean;
  /** Where the text alone could be that of another group. */
  name?: string | undefined;
  onClick(): void;
  children: ReactNode;
};

function Toggle({ isOn, name, onClick, children }: ToggleProps): ReactNode {
  return (
    <button type="button" className="tool" aria-label={name} aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  );
}
