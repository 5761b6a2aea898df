import BellPlus from 'lucide-react/icons/bell-plus';
import Columns3 from 'lucide-react/icons/columns-3';
import History from 'lucide-react/icons/history';
import SquareArrowOutUpRight from 'lucide-react/icons/square-arrow-out-up-right';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { memo, type ReactNode, type RefObject, useId, useState } from 'react';
import {
  countFilters,
  GAPS,
  PRICE_GROUPS,
  SECURITIES,
  type ScannerFilters,
  toggleGroup,
  toggleNews,
} from '../../rules/filters.ts';
import './FilterBar.css';
import { LateGroupChip } from './LateGroupChip.tsx';
import { MinValueSlider } from './MinValueSlider.tsx';
import { TextFilter } from './TextFilter.tsx';
import { ToolbarButton } from './ToolbarButton.tsx';

export type FilterBarProps = {
  filters: ScannerFilters;
  onChange(filters: ScannerFilters): void;
  /** The pre-market scanner's exclusive group of prices. */
  hasPriceGroup: boolean;
  /** AUD. */
  sliderMax: number;
  /** The text filter's box, for the / key. */
  textRef: RefObject<HTMLInputElement | null>;
  onConfigure(): void;
  /** Makes an alert on this scan; null where there is none. */
  onAlert: (() => void) | null;
  /** Opens and closes the tape; null where there is none. */
  onTape: (() => void) | null;
  isTapeOpen: boolean;
  /** Null in a window that is a popup already. */
  onPopOut: (() => void) | null;
  /** Phone width: all filters but the text open from a button. */
  isNarrow: boolean;
};

function PlainFilterBar(props: FilterBarProps): ReactNode {
  const { filters, onChange, onPopOut, isNarrow } = props;
  const [isOpen, setOpen] = useState(false);
  const moreId = useId();
  return (
    <div
      className="filter-bar"
      role="toolbar"
      aria-label="Filters"
      data-dense={props.hasPriceGroup || undefined}
    >
      <TextFilter
        text={filters.text}
        onChange={(text) => onChange({ ...filters, text })}
        inputRef={props.textRef}
      />
      {isNarrow ? (
        <MoreButton filters={filters} isOpen={isOpen} controls={moreId} onToggle={() => setOpen(!isOpen)} />
      ) : (
        <Choices {...props} />
      )}
      <span className="filter-space" />
      {props.onAlert && (
        <ToolbarButton
          isTerse
          label="Alert me on this scan"
          icon={<BellPlus size={15} />}
          onClick={props.onAlert}
        />
      )}
      {props.onTape && (
        <ToolbarButton
          isTerse={props.hasPriceGroup}
          label="Tape"
          icon={<History size={15} />}
          aria-expanded={props.isTapeOpen}
          onClick={props.onTape}
        />
      )}
      {!isNarrow && <LateGroupChip />}
      <ToolbarButton
        isTerse={props.hasPriceGroup}
        label="Configure Columns"
        icon={<Columns3 size={15} />}
        onClick={props.onConfigure}
      />
      {onPopOut && (
        <ToolbarButton
          isTerse={props.hasPriceGroup}
          label="Pop out to new window"
          icon={<SquareArrowOutUpRight size={15} />}
          onClick={onPopOut}
        />
      )}
      {isNarrow && (
        <div id={moreId} className="filter-more" hidden={!isOpen}>
          <Choices {...props} />
        </div>
      )}
    </div>
  );
}

type MoreButtonProps = { filters: ScannerFilters; isOpen: boolean; controls: string; onToggle(): void };

function MoreButton({ filters, isOpen, controls, onToggle }: MoreButtonProps): ReactNode {
  const count = countFilters(filters);
  return (
    <button
      type="button"
      className="filter-toggle"
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onToggle}
    >
      <SlidersHorizontal size={15} />
      Filters{count > 0 && ` (${count})`}
    </button>
  );
}

/** Every filter but the text. */
function Choices({ filters, onChange, hasPriceGroup, sliderMax }: FilterBarProps): ReactNode {
  const change = (part: Partial<ScannerFilters>) => onChange({ ...filters, ...part });
  return (
    <>
      {hasPriceGroup && (
        <fieldset className="filter-group">
          <legend className="visually-hidden">Gaps</legend>
          {GAPS.map(({ id, label }) => (
            <Toggle key={label} isOn={filters.gaps === id} onClick={() => change({ gaps: id })}>
              {label}
            </Toggle>
          ))}
        </fieldset>
      )}
      {hasPriceGroup && (
        <fieldset className="filter-group">
          <legend className="visually-hidden">Price</legend>
          {PRICE_GROUPS.map(({ id, label }) => (
            <Toggle
              key={label}
              name={id === null ? 'All prices' : undefined}
              isOn={filters.priceGroup === id}
              onClick={() => change({ priceGroup: toggleGroup(filters.priceGroup, id) })}
            >
              {label}
            </Toggle>
          ))}
        </fieldset>
      )}
      <fieldset className="filter-group">
        <legend className="visually-hidden">Shares or funds</legend>
        {SECURITIES.map(({ id, label }) => (
          <Toggle key={label} isOn={filters.securities === id} onClick={() => change({ securities: id })}>
            {label}
          </Toggle>
        ))}
      </fieldset>
      <fieldset className="filter-group">
        <legend className="visually-hidden">News</legend>
        <Toggle isOn={filters.newsOnly} onClick={() => onChange(toggleNews(filters, 'newsOnly'))}>
          News Only
        </Toggle>
        <Toggle
          isOn={filters.sensitiveOnly === true}
          onClick={() => onChange(toggleNews(filters, 'sensitiveOnly'))}
        >
          Price sensitive only
        </Toggle>
      </fieldset>
      <MinValueSlider
        value={filters.minValue}
        max={sliderMax}
        onChange={(minValue) => change({ minValue })}
      />
    </>
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
    <button type="button" className="filter-toggle" aria-label={name} aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  );
}

/** A scanner's filters, Configure Columns and the pop-out; drawn again only when a prop has changed. */
export const FilterBar = memo(PlainFilterBar);
