import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { SECURITIES } from '#market/rules/securities.ts';
import {
  GAPS,
  PRICE_GROUPS,
  type ScannerFilters,
  toggleGroup,
  toggleNews,
} from '#subjects/scanners/rules/filters.ts';
import type { FilterBarProps } from './FilterBar.tsx';
import { ListFilter } from './ListFilter.tsx';
import { MinValueSlider } from './MinValueSlider.tsx';

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
      className="filter-toggle filter-chip"
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
    <fieldset className="filter-group">
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
    <button type="button" className="filter-toggle" aria-label={name} aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  );
}
