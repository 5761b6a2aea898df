import {
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
  useMemo,
} from 'react';
import { loadCatalogs, platformCatalog, customCatalog, isCatalogLoading } from './catalog.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import './indicators.css';
import { ParameterForm } from './ParameterForm.tsx';
import type { PickerResult } from './pickerResult.ts';
import type { FieldOption, Family, IndicatorChoice } from '#market/indicators/rules/types.ts';
import { flushSync } from 'react-dom';
import { type PickItem, type PickGroup, pickGroups } from '#market/indicators/rules/picker.ts';
import { checkHtf } from '#market/indicators/rules/htfCandle.ts';
import type { CustomFamily } from '#subjects/indicators/answers/catalog.ts';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { CatalogProblem } from './CatalogProblem.tsx';
import { BROKER_FIELDS } from '#market/indicators/rules/brokerFields.ts';

type PickerListProps = {
  query: string;
  /** Fields that are offered beside those of the catalog. */
  moreFields: readonly FieldOption[];
  /** The search box, for the dialog's focus. */
  searchRef: RefObject<HTMLInputElement | null>;
  onQuery(query: string): void;
  onPick(item: PickItem): void;
};

/** Everything that can be chosen, in three groups, narrowed by the search box; the arrow keys move through it. */
function PickerList({ query, moreFields, searchRef, onQuery, onPick }: PickerListProps): ReactNode {
  const groups = usePickGroups(query, moreFields);
  const isWaiting = isCatalogLoading.value && platformCatalog.value === null;
  const first = groups[0]?.items.find(({ reason }) => reason === null);

  const pickFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || query.trim() === '' || !first) return;
    event.preventDefault();
    onPick(first);
  };

  return (
    <div className="picker stack" onKeyDown={moveFocus} role="presentation">
      <div className="picker-search line-below on-surface">
        <input
          ref={searchRef}
          className="input"
          type="search"
          aria-label="Search indicators and fields"
          placeholder="Search"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
          onKeyDown={pickFirst}
        />
      </div>
      <CatalogProblem />
      {isWaiting && <SkeletonRows rows={6} label="Loading indicators…" />}
      {groups.map((group) => (
        <Group key={group.title} group={group} onPick={onPick} />
      ))}
      {!isWaiting && groups.length === 0 && <p className="empty-state muted">No matches found</p>}
    </div>
  );
}

/** Moves the focus by an arrow key among the search box and all that can be chosen. */
function moveFocus(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .picker-item')];
  stops[stops.indexOf(document.activeElement as HTMLElement) + by]?.focus();
}

/** What the loaded catalogs offer for a search; broker fields also while no catalog is loaded. */
function usePickGroups(query: string, moreFields: readonly FieldOption[]): PickGroup[] {
  const platform = platformCatalog.value;
  const custom = customCatalog.value;
  return useMemo(
    () =>
      pickGroups(
        {
          indicators: platform?.catalog.indicators ?? {},
          unavailable: platform?.unavailable ?? [],
          fields: [...(platform?.catalog.fields ?? BROKER_FIELDS), ...moreFields],
          custom: custom?.families.htf_candle ?? null,
        },
        query,
      ),
    [platform, custom, query, moreFields],
  );
}

function Group({ group, onPick }: { group: PickGroup; onPick(item: PickItem): void }): ReactNode {
  return (
    <section aria-label={group.title}>
      <h3 className="small">{group.title}</h3>
      <ul>
        {group.items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              className="picker-item"
              aria-disabled={item.reason !== null || undefined}
              onClick={() => {
                if (item.reason === null) onPick(item);
              }}
            >
              <span className="flex-none strong">{item.label}</span>
              {item.detail !== item.label && (
                <span className="picker-detail ellipsis grow min-w-0 muted table-text">{item.detail}</span>
              )}
              {item.reason !== null && <span className="picker-reason push small">{item.reason}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The custom family (htf_candle) in the shape of the others: it has parameters, but no timeframe and no delay. */
const htfFamily = ({ label, fullName, params }: CustomFamily): Family => ({
  family: 'htf_candle',
  familySlug: 'htf_candle',
  label,
  fullName,
  params,
  defaultTimeframes: [],
  timeframes: [],
  tvPrefix: '',
  tvSuffix: '',
  separator: '',
  ignoreParam: null,
  delaysAvailable: [],
  type: 'price',
  hasTimeframes: false,
});

/** The picker, or the parameters of the family that was chosen in it. */
type Step = { kind: 'picker' } | { kind: 'parameters'; family: Family; isCandle: boolean };

type PickerStepsInput = { onAdd(result: PickerResult): void; onClose(): void };

const PICKER: Step = { kind: 'picker' };

/** The way through the picker and the parameters; it begins again at the picker whenever it has come to its end. */
function usePickerSteps({ onAdd, onClose }: PickerStepsInput) {
  const [step, setStep] = useState(PICKER);
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);

  const close = () => {
    onClose();
    setStep(PICKER);
    setQuery('');
  };
  const add = (result: PickerResult) => {
    onAdd(result);
    close();
  };
  return {
    step,
    query,
    setQuery,
    /** For the search box. */
    search,
    close,
    pick(item: PickItem): void {
      if (item.kind === 'field') return add({ kind: 'field', key: item.key });
      if (item.kind === 'family')
        return setStep({ kind: 'parameters', family: item.family, isCandle: false });
      const candle = customCatalog.peek()?.families.htf_candle;
      if (candle) setStep({ kind: 'parameters', family: htfFamily(candle), isCandle: true });
    },
    back(): void {
      // Only once the picker is drawn again can its search box take the focus.
      flushSync(() => setStep(PICKER));
      search.current?.focus();
    },
    save(choices: IndicatorChoice[], isCandle: boolean): void {
      if (!isCandle) return add({ kind: 'indicator', choices });
      const choice = checkHtf(choices[0]?.params ?? {});
      if (choice) add({ kind: 'htf', choice });
    },
  };
}

const NO_FIELDS: readonly FieldOption[] = [];

export type AddIndicatorDialogProps = {
  open: boolean;
  onClose(): void;
  onAdd(result: PickerResult): void;
  /** Fields that are offered beside those of the catalog. */
  moreFields?: readonly FieldOption[];
  /** Several timeframes may be chosen at once, which gives several indicators. */
  multipleTimeframes?: boolean;
};

/**
 * Chooses a broker field or an indicator, and an indicator's parameters: the picker and the parameter modal in one.
 * Import it lazily: it brings Base UI along.
 */
export function AddIndicatorDialog(props: AddIndicatorDialogProps): ReactNode {
  const { open, moreFields = NO_FIELDS, multipleTimeframes = false } = props;
  const { step, query, setQuery, search, pick, back, save, close } = usePickerSteps(props);
  const formId = useId();
  useEffect(() => {
    if (open) void loadCatalogs();
  }, [open]);

  return (
    <DialogSheet
      open={open}
      title={step.kind === 'parameters' ? step.family.fullName : 'Select Indicator or Field'}
      onClose={close}
      initialFocus={search}
      footer={
        step.kind === 'parameters' && <ParameterButtons formId={formId} onBack={back} onCancel={close} />
      }
    >
      {step.kind === 'parameters' ? (
        <ParameterForm
          id={formId}
          family={step.family}
          timeframes={platformCatalog.value?.timeframes ?? []}
          multipleTimeframes={multipleTimeframes}
          onSave={(choices) => save(choices, step.isCandle)}
        />
      ) : (
        <PickerList
          query={query}
          moreFields={moreFields}
          searchRef={search}
          onQuery={setQuery}
          onPick={pick}
        />
      )}
    </DialogSheet>
  );
}

type ParameterButtonsProps = { formId: string; onBack(): void; onCancel(): void };

function ParameterButtons({ formId, onBack, onCancel }: ParameterButtonsProps): ReactNode {
  return (
    <>
      <Button className="push-start" onClick={onBack}>
        Back
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="primary" type="submit" form={formId}>
        Save
      </Button>
    </>
  );
}
