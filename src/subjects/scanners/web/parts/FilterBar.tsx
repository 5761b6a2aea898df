import Columns3 from 'lucide-react/icons/columns-3';
import History from 'lucide-react/icons/history';
import SquareArrowOutUpRight from 'lucide-react/icons/square-arrow-out-up-right';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import {
  memo,
  type ReactNode,
  type RefObject,
  useId,
  useState,
  type ComponentType,
  useEffect,
  type KeyboardEvent,
  useRef,
} from 'react';
import {
  countFilters,
  type ScannerFilters,
  GAPS,
  PRICE_GROUPS,
  toggleGroup,
  toggleNews,
} from '#market/scanners/rules/filters.ts';
import { AlertBell, type BellState, ToolbarButton } from './ToolbarButton.tsx';
import { late, withStyles } from '#web/shared/lateStyles.ts';
import { meta } from '#web/live/market.ts';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';
import { SECURITIES } from '#market/rules/stockState.ts';
import ListChecks from 'lucide-react/icons/list-checks';
import { formatNumber } from '#texts/format.ts';
import { describedBy, RangeInput } from '#ui/Field.tsx';
import { notNumeric, parseQuantity } from '#lib/numericInput.ts';

const HELP = 'Write it like 5000, 250k or 1.5m.';

type MinValueBoxProps = { value: number; onChange(value: number): void };

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
 * The minimum value as text. Blur or Enter applies it, and Escape reverts it. Invalid text stays, with a message below.
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
  /** Maximum of the slider, from today's values. */
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

/** Whether a value is on a step, despite the rounding errors of binary fractions. */
const isWhole = (steps: number): boolean => Math.abs(steps - Math.round(steps)) < 1e-9;

/** Moves by steps, starting from the nearest step in that direction. */
function stepsOn(at: number, by: number): number {
  const from = isWhole(at) ? Math.round(at) : by > 0 ? Math.floor(at) : Math.ceil(at);
  return Math.min(STEPS, Math.max(0, from + by));
}

/** The slider of the minimum value, AUD. Its maximum follows the market, except while it is dragged. */
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
        // The browser would move a value between two steps to the next one, so allow any value.
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

const ListFilterMenu = late(() => import('./ListFilterMenu.tsx').then((code) => code.ListFilterMenu));

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
        <ListFilterMenu
          anchor={anchor}
          chosen={filters.lists}
          onChoose={(lists) => onChange({ ...filters, lists })}
          onClose={close}
        />
      )}
    </>
  );
}

type ChoicesProps = Pick<FilterBarProps, 'filters' | 'onChange' | 'hasPriceGroup' | 'sliderMax'>;

function Choices(props: ChoicesProps): ReactNode {
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

function ListsChip({ filters, onChange, textRef, listsLabel }: ChipsProps): ReactNode {
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
  /** Accessible name, needed if another group has the same text. */
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

type TextFilterProps = {
  text: string;
  onChange(text: string): void;
  inputRef: RefObject<HTMLInputElement | null>;
};

/** The text filter. Escape clears the text, or leaves an empty box; Enter moves to the rows. */
function TextFilter({ text, onChange, inputRef }: TextFilterProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (text === '') event.currentTarget.blur();
    else onChange('');
  };
  return (
    <span className="text-filter">
      <Search className="text-filter-icon" size={14} aria-hidden="true" />
      <input
        ref={inputRef}
        type="text"
        className="input is-small"
        aria-label="Filter by code or name"
        aria-keyshortcuts="/"
        placeholder="Code or name"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        {...LEADS_INTO_TABLE}
      />
      {text !== '' && (
        <button type="button" className="center" aria-label="Clear filter" onClick={() => onChange('')}>
          <X size={13} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

/** Delay before loading, because the styles are large and not needed for the first screen. */
const FETCH_AFTER_MS = 1000;

let code: ComponentType | null = null;

/** Reserves its space while its code loads. */
function LateGroupChip(): ReactNode {
  const [Chip, setChip] = useState(() => code);
  const hasMarket = meta.value !== null;
  useEffect(() => {
    if (Chip !== null || !hasMarket) return;
    let isShown = true;
    const load = () => {
      withStyles(import('#web/windows/GroupChip.tsx')).then(
        ({ GroupChip }) => {
          code = GroupChip;
          if (isShown) setChip(() => code);
        },
        // Without this code the table still works.
        (problem: unknown) => console.warn('The window group could not be loaded.', problem),
      );
    };
    const timer = setTimeout(load, FETCH_AFTER_MS);
    return () => {
      isShown = false;
      clearTimeout(timer);
    };
  }, [Chip, hasMarket]);
  return Chip ? <Chip /> : <span className="filter-group-place" />;
}

type FilterBarProps = {
  filters: ScannerFilters;
  listsLabel: string;
  onChange(filters: ScannerFilters): void;
  hasPriceGroup: boolean;
  /** Maximum of the minimum-value slider, AUD. */
  sliderMax: number;
  textRef: RefObject<HTMLInputElement | null>;
  onConfigure(): void;
  /** Null if alerts are not available. */
  onAlert: (() => void) | null;
  bell: BellState;
  onHistory: (() => void) | null;
  isHistoryOpen: boolean;
  /** Null if this window is already a popup. */
  onPopOut: (() => void) | null;
  /** True on phones: all filters except the text are behind a button. */
  isNarrow: boolean;
};

function PlainFilterBar(props: FilterBarProps): ReactNode {
  const { filters, onChange, isNarrow } = props;
  const [isOpen, setOpen] = useState(false);
  const moreId = useId();
  return (
    <div
      className="filter-bar bar"
      role="toolbar"
      aria-label="Filters"
      data-dense={props.hasPriceGroup || undefined}
    >
      <TextFilter
        text={filters.text}
        onChange={(text) => onChange({ ...filters, text })}
        inputRef={props.textRef}
      />
      <ListsChip {...props} />
      {isNarrow ? (
        <MoreButton filters={filters} isOpen={isOpen} controls={moreId} onToggle={() => setOpen(!isOpen)} />
      ) : (
        <Choices {...props} />
      )}
      <span className="filter-space" />
      <Tools {...props} />
      {isNarrow && (
        <div id={moreId} className="filter-more" hidden={!isOpen}>
          <Choices {...props} />
        </div>
      )}
    </div>
  );
}

/** The bar's buttons. They are icons only if the bar also has the price group or the chip of the user's lists. */
function Tools(props: FilterBarProps): ReactNode {
  const { isHistoryOpen, isNarrow, onAlert, onHistory, onConfigure, onPopOut } = props;
  const isTerse = props.hasPriceGroup || props.filters.lists !== undefined;
  return (
    <>
      {onAlert && <AlertBell isTerse state={props.bell} onAlert={onAlert} />}
      {onHistory && (
        <ToolbarButton
          isTerse={isTerse}
          label="History"
          icon={<History size={15} />}
          aria-expanded={isHistoryOpen}
          onClick={onHistory}
        />
      )}
      {!isNarrow && <LateGroupChip />}
      <ToolbarButton
        isTerse={isTerse}
        label="Configure Columns"
        icon={<Columns3 size={15} />}
        onClick={onConfigure}
      />
      {onPopOut && (
        <ToolbarButton
          isTerse={isTerse}
          label="Pop out to new window"
          icon={<SquareArrowOutUpRight size={15} />}
          onClick={onPopOut}
        />
      )}
    </>
  );
}

type MoreButtonProps = { filters: ScannerFilters; isOpen: boolean; controls: string; onToggle(): void };

function MoreButton({ filters, isOpen, controls, onToggle }: MoreButtonProps): ReactNode {
  const count = countFilters(filters);
  return (
    <button type="button" className="tool" aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
      <SlidersHorizontal size={15} />
      Filters{count > 0 && ` (${count})`}
    </button>
  );
}

/** Renders only when a prop changes. */
export const FilterBar = memo(PlainFilterBar);
