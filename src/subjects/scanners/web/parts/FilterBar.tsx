import Ellipsis from 'lucide-react/icons/ellipsis';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import {
  countFilters,
  type ScannerFilters,
  GAPS,
  PRICE_GROUPS,
  toggleGroup,
  toggleNews,
} from '#market/scanners/rules/filters.ts';
import { AlertBell, type BellState } from './ToolbarButton.tsx';
import type { MoreMenuProps } from './MoreMenu.tsx';
import { late } from '#web/shared/lateStyles.ts';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';
import { useAnchor } from '#ui/useAnchor.ts';
import { useElementWidth } from '#ui/table/useElementWidth.ts';
import { SECURITIES } from '#market/rules/stockState.ts';
import ListChecks from 'lucide-react/icons/list-checks';
import { formatNumber } from '#texts/format.ts';

const MoreMenu = late(() => import('./lateMenus.ts').then((code) => code.MoreMenu));
const ListFilterMenu = late(() => import('./lateMenus.ts').then((code) => code.ListFilterMenu));
const MinValuePopup = late(() => import('./lateMenus.ts').then((code) => code.MinValuePopup));

type MinValueProps = Pick<FilterBarProps, 'filters' | 'sliderMax'> & { onChange(value: number): void };

function MinValue({ filters: { minValue }, sliderMax, onChange }: MinValueProps): ReactNode {
  const { anchor, open, close, leave } = useAnchor();
  return (
    <>
      <button
        type="button"
        className="tool"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={open}
      >
        Min value <b>${formatNumber(minValue, 0)}</b>
      </button>
      {anchor && (
        <MinValuePopup
          anchor={anchor}
          value={minValue}
          max={sliderMax}
          onChange={onChange}
          onClose={close}
          onLeave={leave}
        />
      )}
    </>
  );
}

function ListFilter({ filters, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>): ReactNode {
  const { anchor, open, close } = useAnchor();
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
        onClick={open}
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

type ChoicesProps = Pick<FilterBarProps, 'filters' | 'onChange'>;

function Choices({ filters, onChange }: ChoicesProps): ReactNode {
  return (
    <>
      <Group legend="Shares or funds">
        {SECURITIES.map(({ id, label }) => (
          <Toggle
            key={label}
            isOn={filters.securities === id}
            onClick={() => onChange({ ...filters, securities: id })}
          >
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

function PreMarketChoices({ filters, onChange }: ChoicesProps): ReactNode {
  return (
    <>
      <Group legend="Gaps">
        {GAPS.map(({ id, label }) => (
          <Toggle key={label} isOn={filters.gaps === id} onClick={() => onChange({ ...filters, gaps: id })}>
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
            onClick={() => onChange({ ...filters, priceGroup: toggleGroup(filters.priceGroup, id) })}
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

type FilterBarProps = Omit<MoreMenuProps, 'anchor' | 'onClose'> & {
  filters: ScannerFilters;
  listsLabel: string;
  onChange(filters: ScannerFilters): void;
  hasPriceGroup: boolean;
  /** Maximum of the minimum-value slider, AUD. */
  sliderMax: number;
  textRef: RefObject<HTMLInputElement | null>;
  /** Null if alerts are not available. */
  onAlert: (() => void) | null;
  bell: BellState;
};

/** Below these widths (px), some filters are behind a button, so that the bar is one line next to the pane. */
const FULL_WIDTH = { plain: 860, withPrices: 1260 };

function PlainFilterBar(props: FilterBarProps): ReactNode {
  const { filters, onChange, hasPriceGroup, isNarrow } = props;
  const [isOpen, setOpen] = useState(false);
  const moreId = useId();
  const bar = useRef<HTMLDivElement>(null);
  const width = useElementWidth(bar);
  const isCompact = isNarrow || (width > 0 && width < FULL_WIDTH[hasPriceGroup ? 'withPrices' : 'plain']);
  const behind = isNarrow ? filters : { ...filters, priceGroup: null, gaps: undefined, minValue: 0 };
  const setMinValue = (minValue: number) => onChange({ ...filters, minValue });
  const first = hasPriceGroup && <PreMarketChoices filters={filters} onChange={onChange} />;
  const others = <Choices filters={filters} onChange={onChange} />;
  const last = <MinValue filters={filters} sliderMax={props.sliderMax} onChange={setMinValue} />;
  return (
    <div
      ref={bar}
      className="filter-bar bar"
      role="toolbar"
      aria-label="Filters"
      data-dense={hasPriceGroup || undefined}
    >
      <TextFilter
        text={filters.text}
        onChange={(text) => onChange({ ...filters, text })}
        inputRef={props.textRef}
      />
      <ListsChip {...props} />
      {!isNarrow && first}
      {isCompact ? (
        <FiltersButton
          count={countFilters(behind)}
          isOpen={isOpen}
          controls={moreId}
          onToggle={() => setOpen(!isOpen)}
        />
      ) : (
        others
      )}
      {!isNarrow && last}
      <span className="filter-space" />
      {props.onAlert && <AlertBell isTerse state={props.bell} onAlert={props.onAlert} />}
      <More {...props} />
      {isCompact && (
        <div id={moreId} className="filter-more" hidden={!isOpen}>
          {isNarrow && first}
          {others}
          {isNarrow && last}
        </div>
      )}
    </div>
  );
}

function More(actions: Omit<MoreMenuProps, 'anchor' | 'onClose'>): ReactNode {
  const { anchor, open, close } = useAnchor();
  return (
    <>
      <button
        type="button"
        className="tool is-quiet"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={open}
      >
        <Ellipsis size={15} aria-hidden />
        More
      </button>
      {anchor && <MoreMenu {...actions} anchor={anchor} onClose={close} />}
    </>
  );
}

type FiltersButtonProps = { count: number; isOpen: boolean; controls: string; onToggle(): void };

function FiltersButton({ count, isOpen, controls, onToggle }: FiltersButtonProps): ReactNode {
  return (
    <button type="button" className="tool" aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
      <SlidersHorizontal size={15} />
      Filters{count > 0 && ` (${count})`}
    </button>
  );
}

/** Renders only when a prop changes. */
export const FilterBar = memo(PlainFilterBar);
