import { type ReactNode, useId, useMemo, useRef } from 'react';
import { MAX_TEXTS } from '#subjects/conditions/rules/operand.ts';
import type { Stock } from '#market/rules/stock.ts';
import { compareNames } from '#lib/unicode.ts';
import { Chips } from '#ui/Chips.tsx';

type SectorFieldProps = {
  chosen: readonly string[];
  /** The market whose sectors are offered. */
  stocks: ReadonlyMap<string, Stock> | undefined;
  isWrong: boolean;
  onChoose(chosen: string[]): void;
};

function sectorsOf(stocks: ReadonlyMap<string, Stock> | undefined): string[] {
  const found = new Set<string>();
  for (const { sector } of stocks?.values() ?? []) if (sector) found.add(sector);
  return [...found].sort(compareNames);
}

/** Chooses one or several of the sectors in the market; the chosen ones are listed below and can be removed again. */
export function SectorField({ chosen, stocks, isWrong, onChoose }: SectorFieldProps): ReactNode {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const sectors = useMemo(() => sectorsOf(stocks), [stocks]);
  const offered = sectors.filter((sector) => !chosen.includes(sector));
  const isFull = chosen.length >= MAX_TEXTS;
  return (
    <div className="field condition-sectors">
      <label htmlFor={id}>Sectors</label>
      <select
        id={id}
        ref={select}
        className="input select"
        value=""
        aria-invalid={isWrong || undefined}
        onChange={({ target }) => {
          if (target.value !== '' && !isFull) onChoose([...chosen, target.value]);
        }}
      >
        <option value="">{optionText(chosen.length, offered.length)}</option>
        {offered.map((sector) => (
          <option key={sector} value={sector}>
            {sector}
          </option>
        ))}
      </select>
      <Chips
        label="Chosen sectors"
        chips={chosen.map((sector) => ({ key: sector, label: sector }))}
        fallback={select}
        onRemove={(sector) => onChoose(chosen.filter((one) => one !== sector))}
      />
    </div>
  );
}

function optionText(chosen: number, offered: number): string {
  if (offered === 0) return chosen === 0 ? 'No sectors known yet' : 'All sectors chosen';
  return chosen === 0 ? 'Select sector' : 'Add another sector';
}
