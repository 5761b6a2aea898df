import { type ReactNode, useId } from 'react';
import { MIN_CHANGE_LIMITS, type ScanFilters, usualFilters } from '#market/scanners/rules/filters.ts';
import { scannerOfWatched } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { NativeSelect, Toggle } from '#ui/Field.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import {
  AMOUNT_LIMITS,
  BROKERAGE_LIMITS,
  EXIT_MINUTES,
  MIN_BROKERAGE_LIMITS,
  type OddsExit,
  type OddsSettings,
  STEPS_LIMITS,
  STOP_LIMITS,
  TARGET_LIMITS,
} from '../../rules/settings.ts';

const DEFAULT_STOP_TARGET: OddsExit = { kind: 'stopTarget', stop: 2, target: 4 };

const EXITS: readonly { id: string; label: string; exit: OddsExit }[] = [
  ...EXIT_MINUTES.map((minutes) => ({
    id: String(minutes),
    label: `After ${minutes} minutes`,
    exit: { kind: 'minutes', minutes } as const,
  })),
  { id: 'close', label: 'At the close', exit: { kind: 'close' } },
  { id: 'nextOpen', label: 'At the next open', exit: { kind: 'nextOpen' } },
  { id: 'stopTarget', label: 'Stop and target', exit: DEFAULT_STOP_TARGET },
];

const exitId = (exit: OddsExit): string => (exit.kind === 'minutes' ? String(exit.minutes) : exit.kind);

const ENTRIES = [
  { id: 'first', label: 'First of a stock and day' },
  { id: 'every', label: 'Every time it enters' },
] as const;

type SettingsProps = { settings: OddsSettings; change(part: Partial<OddsSettings>): void };

type SettingsFormProps = SettingsProps & {
  /** The scan whose limits can be tightened here; null for conditions. */
  scan: WatchedScan | null;
  onFilters(filters: ScanFilters): void;
};

/** What is bought, when it is sold and what it costs. Every change runs the odds again. */
export function SettingsForm({ scan, onFilters, ...settings }: SettingsFormProps): ReactNode {
  return (
    <div className="stack gap-4">
      <Group title="Trade">
        <Trade {...settings} />
      </Group>
      {scan && (
        <Group title="Tighten the scan">
          <Tighten scan={scan} onFilters={onFilters} />
        </Group>
      )}
      <Group title="Costs of a trade">
        <Costs {...settings} />
      </Group>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section className="stack gap-2" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="odds-fields">{children}</div>
    </section>
  );
}

function Trade({ settings: { exit, everyEntry }, change }: SettingsProps): ReactNode {
  return (
    <>
      <NativeSelect
        label="Sell"
        value={exitId(exit)}
        options={EXITS}
        onChoose={(id) => change({ exit: EXITS.find((one) => one.id === id)?.exit ?? exit })}
      />
      <NativeSelect
        label="Buy"
        value={everyEntry ? 'every' : 'first'}
        options={ENTRIES}
        onChoose={(id) => change({ everyEntry: id === 'every' })}
      />
      {exit.kind === 'stopTarget' && (
        <>
          <NumberField
            label="Stop (% below)"
            value={exit.stop}
            limits={{ ...STOP_LIMITS, step: 0.5 }}
            onNumber={(stop) => change({ exit: { ...exit, stop: stop ?? Number.NaN } })}
          />
          <NumberField
            label="Target (% above)"
            value={exit.target}
            limits={{ ...TARGET_LIMITS, step: 0.5 }}
            onNumber={(target) => change({ exit: { ...exit, target: target ?? Number.NaN } })}
          />
        </>
      )}
    </>
  );
}

const MAX_LEAST_VALUE = 1e9;

function Tighten({
  scan,
  onFilters,
}: {
  scan: WatchedScan;
  onFilters(filters: ScanFilters): void;
}): ReactNode {
  const filters = scan.filters ?? usualFilters(scannerOfWatched(scan));
  const isPreMarket = scan.type === 'scanner' && scan.key === 'preMarket';
  const put = (part: { [K in 'minChange' | 'newsOnly' | 'minValue']?: ScanFilters[K] | undefined }) => {
    const { minChange, newsOnly, ...next } = { ...filters, ...part };
    onFilters({ ...next, ...(newsOnly && { newsOnly }), ...(minChange !== undefined && { minChange }) });
  };
  return (
    <>
      {!isPreMarket && (
        <NumberField
          label="Up at least (%)"
          placeholder="Any"
          value={filters.minChange ?? null}
          limits={{ ...MIN_CHANGE_LIMITS, step: 1 }}
          onNumber={(minChange) => put({ minChange: minChange ?? undefined })}
        />
      )}
      <NumberField
        label={isPreMarket ? 'Match value ($)' : 'Traded at least ($)'}
        value={filters.minValue}
        limits={{ min: 0, max: MAX_LEAST_VALUE, step: 1000 }}
        onNumber={(minValue) => put({ minValue: minValue ?? 0 })}
      />
      <Toggle
        label="News only"
        checked={filters.newsOnly ?? false}
        onChange={(isOn) => put({ newsOnly: isOn || undefined })}
      />
    </>
  );
}

const COSTS = [
  ['amount', 'Amount ($)', { ...AMOUNT_LIMITS, step: 500 }],
  ['brokerage', 'Brokerage (%)', { ...BROKERAGE_LIMITS, step: 0.01 }],
  ['minBrokerage', 'Minimum fee ($)', { ...MIN_BROKERAGE_LIMITS, step: 1 }],
  ['steps', 'Spread (steps)', { ...STEPS_LIMITS, step: 1 }],
] as const;

const Costs = ({ settings, change }: SettingsProps): ReactNode =>
  COSTS.map(([name, label, limits]) => (
    <NumberField
      key={name}
      label={label}
      value={settings[name]}
      limits={limits}
      onNumber={(value) => change({ [name]: value ?? Number.NaN })}
    />
  ));
