import { type ReactNode, useMemo, useRef } from 'react';
import { formatDate } from '#texts/format.ts';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import { LEADS_INTO_TABLE } from '#ui/table/rowKeys.ts';
import { TextField } from '#ui/TextField.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { useFilterKey } from '#ui/useFilterKey.ts';
import type { NewsFilter } from '#subjects/glance/rules/dayNews.ts';

const MAX_WORDS = 80;

type NewsFiltersProps = {
  filter: NewsFilter;
  /** Of the day that is shown. */
  types: readonly string[];
  /** The days that have announcements, YYYY-MM-DD. */
  dates: readonly string[];
  date: string;
  today: string;
  onFilter(filter: NewsFilter): void;
  onDate(date: string): void;
};

/** What narrows the list of announcements. */
export function NewsFilters(props: NewsFiltersProps): ReactNode {
  const { filter, onFilter } = props;
  const box = useRef<HTMLInputElement>(null);
  useFilterKey(box);
  const change = (part: Partial<NewsFilter>) => onFilter({ ...filter, ...part });
  return (
    <div className="market-filters">
      <TextField
        ref={box}
        label="Search"
        type="search"
        placeholder="Code or words of the headline"
        value={filter.words}
        maxLength={MAX_WORDS}
        autoComplete="off"
        spellCheck={false}
        {...LEADS_INTO_TABLE}
        onChange={({ target }) => change({ words: target.value })}
      />
      <TypeAndDay {...props} />
      <Toggle
        label="Price sensitive"
        checked={filter.sensitiveOnly}
        onChange={(sensitiveOnly) => change({ sensitiveOnly })}
      />
      <Toggle
        label="My watchlist"
        checked={filter.watchedOnly}
        onChange={(watchedOnly) => change({ watchedOnly })}
      />
    </div>
  );
}

function TypeAndDay({ filter, types, dates, date, today, onFilter, onDate }: NewsFiltersProps): ReactNode {
  const typeOptions = useMemo(() => {
    // One that is chosen stays in the list although the day has none of it.
    const all = filter.type === '' || types.includes(filter.type) ? types : [filter.type, ...types];
    return [{ id: '', label: 'All types' }, ...all.map((type) => ({ id: type, label: type }))];
  }, [types, filter.type]);
  const days = dates.includes(today) ? dates : [today, ...dates];
  return (
    <>
      <NativeSelect
        label="Type"
        value={filter.type}
        options={typeOptions}
        onChoose={(type) => onFilter({ ...filter, type })}
      />
      <NativeSelect
        label="Day"
        value={date}
        options={days.map((day) => ({ id: day, label: day === today ? 'Today' : formatDate(day) }))}
        onChoose={onDate}
      />
    </>
  );
}
