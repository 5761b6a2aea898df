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
} from 'react';
import { countFilters, type ScannerFilters } from '#market/scanners/rules/filters.ts';
import { Choices, ListsChip } from './FilterChoices.tsx';
import { AlertBell, type BellState } from './AlertBell.tsx';
import { ToolbarButton } from './ToolbarButton.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';
import { meta } from '#web/live/market.ts';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';

type TextFilterProps = {
  text: string;
  onChange(text: string): void;
  inputRef: RefObject<HTMLInputElement | null>;
};

/** Filters by code or company name. Escape clears the text; in an empty box it gives up the focus. Enter goes on to the rows. */
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

/** After what a screen needs first: the styles that come with it are the largest part of a first load but the code. */
const FETCH_AFTER_MS = 1000;

let code: ComponentType | null = null;

/** The group of this window. Its code comes after the market; its place is kept until then. */
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
        // The table is of use without it.
        (problem: unknown) => console.warn('The group of this window could not be fetched.', problem),
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

export type FilterBarProps = {
  filters: ScannerFilters;
  /** What the chip of the user's lists says. */
  listsLabel: string;
  onChange(filters: ScannerFilters): void;
  /** The pre-market scanner's exclusive group of prices. */
  hasPriceGroup: boolean;
  /** AUD. */
  sliderMax: number;
  /** The text filter's box, for the / key. */
  textRef: RefObject<HTMLInputElement | null>;
  onConfigure(): void;
  /** Makes an alert on this scan, or shows it; null where there is none. */
  onAlert: (() => void) | null;
  bell: BellState;
  /** Opens and closes the tape; null where there is none. */
  onTape: (() => void) | null;
  isTapeOpen: boolean;
  /** Null in a window that is a popup already. */
  onPopOut: (() => void) | null;
  /** Phone width: all filters but the text open from a button. */
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

/** Whether the bar has more in it than elsewhere: a group of prices, or the chip of the user's lists. */
const needsRoom = ({ hasPriceGroup, filters }: FilterBarProps): boolean =>
  hasPriceGroup || filters.lists !== undefined;

/** What can be done with the scanner besides filtering it. */
function Tools(props: FilterBarProps): ReactNode {
  const { isTapeOpen, isNarrow, onAlert, onTape, onConfigure, onPopOut } = props;
  const isTerse = needsRoom(props);
  return (
    <>
      {onAlert && <AlertBell isTerse state={props.bell} onAlert={onAlert} />}
      {onTape && (
        <ToolbarButton
          isTerse={isTerse}
          label="Tape"
          icon={<History size={15} />}
          aria-expanded={isTapeOpen}
          onClick={onTape}
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

/** A scanner's filters, Configure Columns and the pop-out; drawn again only when a prop has changed. */
export const FilterBar = memo(PlainFilterBar);
