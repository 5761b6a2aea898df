import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { refuse } from '#lib/result.ts';
import {
  BROKER_FIELDS,
  DEFAULT_TIMEFRAME,
  type Family,
  type FieldOption,
  type IndicatorChoice,
  type Param,
  type ParamValue,
  type Timeframe,
} from '#market/indicators/rules/types.ts';
import { checkHtf, type HtfChoice, paramText } from '#market/indicators/rules/indicatorKey.ts';
import { defaultOf, normaliseParams } from '#market/indicators/rules/parameters.ts';
import { type PickGroup, pickGroups, type PickItem } from '#market/indicators/rules/picker.ts';
import type { CustomFamily, TimeframeOption } from '#subjects/indicators/answers/catalog.ts';
import { Button } from '../../ui/Button.tsx';
import { Chips, NativeSelect, TextField } from '../../ui/Field.tsx';
import { DialogSheet } from '../../ui/DialogSheet.tsx';
import { FormError } from '../../ui/Banner.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { SkeletonRows } from '../../ui/SkeletonRows.tsx';
import { CatalogProblem } from './CatalogProblem.tsx';
import { customCatalog, isCatalogLoading, loadCatalogs, platformCatalog } from './catalog.ts';
import './indicators.css';

type Values = Readonly<Record<string, ParamValue>>;

function defaultValues({ params }: Family): Values {
  return Object.fromEntries(params.map((param) => [param.name, defaultOf(param)]));
}

function defaultTimeframes({ timeframes, defaultTimeframes: preferred }: Family): Timeframe[] {
  const first = preferred.filter((timeframe) => timeframes.includes(timeframe)).slice(0, 1);
  return first.length > 0 ? first : timeframes.slice(0, 1);
}

/** Checks the parameters. A field without a number is refused, not replaced by the default. */
function checkedParams(family: Family, values: Values): ReturnType<typeof normaliseParams> {
  const unread = family.params.find(({ name }) => Number.isNaN(values[name]));
  return unread ? refuse(`${unread.label} is not a number.`, unread.name) : normaliseParams(family, values);
}

/** The chosen timeframes; the family's default until the user chooses. */
function useTimeframes(family: Family) {
  const [timeframes, setTimeframes] = useState<readonly Timeframe[]>(() => defaultTimeframes(family));
  const [isProposal, setProposal] = useState(true);
  const [isMissing, setMissing] = useState(false);
  return {
    timeframes,
    isProposal,
    isMissing,
    missed: () => setMissing(true),
    choose(chosen: readonly Timeframe[]): void {
      setMissing(false);
      setProposal(false);
      setTimeframes(chosen);
    },
  };
}

/** The parameters of a family, starting with its defaults. Mount it again for another family. */
function useParameters(family: Family) {
  const [values, setValues] = useState(() => defaultValues(family));
  const { timeframes, isProposal, isMissing, missed, choose } = useTimeframes(family);
  const [delay, setDelay] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);

  /** One choice per timeframe; null if something is missing or wrong, which is shown from then on. */
  const check = (): IndicatorChoice[] | null => {
    if (family.hasTimeframes && timeframes.length === 0) {
      missed();
      return null;
    }
    const params = checkedParams(family, values);
    if (!params.ok) {
      setProblem(params.error.message);
      return null;
    }
    const chosen = timeframes.length > 0 ? timeframes : [DEFAULT_TIMEFRAME];
    return chosen.map((tf) => ({ family: family.family, params: params.value, tf, delay }));
  };

  return {
    values,
    timeframes,
    /** True if the timeframe is the family's default, because the user has not chosen yet. */
    isProposal,
    /** Bars back; 0 is now. */
    delay,
    problem,
    isTimeframeMissing: isMissing,
    setValue(name: string, value: ParamValue): void {
      setProblem(null);
      setValues((before) => ({ ...before, [name]: value }));
    },
    setTimeframes: choose,
    setDelay,
    check,
  };
}

type TimeframeFieldProps = {
  options: readonly TimeframeOption[];
  chosen: readonly Timeframe[];
  /** True if choices accumulate; otherwise each replaces the last one. */
  multiple: boolean;
  /** True if `chosen` is only a proposal, which the first choice replaces. */
  isProposal: boolean;
  isWrong: boolean;
  selectRef: RefObject<HTMLSelectElement | null>;
  onChoose(chosen: readonly Timeframe[]): void;
};

/** The choices after one more; unchanged if the key is unknown. */
function withChoice(
  { options, chosen, multiple, isProposal }: TimeframeFieldProps,
  key: string,
): Timeframe[] {
  const option = options.find((one) => one.key === key);
  if (!option) return [];
  if (!multiple || isProposal) return [option.key];
  return options.map((one) => one.key).filter((one) => one === key || chosen.includes(one));
}

function TimeframeField(props: TimeframeFieldProps): ReactNode {
  const { options, chosen, multiple, isWrong, onChoose } = props;
  const id = useId();
  const chosenOptions = options.filter(({ key }) => chosen.includes(key));
  const offered = multiple ? options.filter(({ key }) => !chosen.includes(key)) : options;
  return (
    <div className="field">
      <label htmlFor={id}>Timeframe</label>
      <select
        id={id}
        ref={props.selectRef}
        className="input select"
        value={multiple ? '' : (chosen[0] ?? '')}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => onChoose(withChoice(props, event.target.value))}
      >
        <option value="">Select timeframe</option>
        {offered.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      {multiple && (
        <Chips
          label="Chosen timeframes"
          chips={chosenOptions}
          fallback={props.selectRef}
          onRemove={(key) => onChoose(chosen.filter((one) => one !== key))}
        />
      )}
      <p className={isWrong ? 'field-error' : 'field-help'} id={`${id}-help`}>
        {isWrong && 'Select a timeframe.'}
        {!isWrong && multiple && 'Each timeframe becomes a separate column.'}
      </p>
    </div>
  );
}

type ParamFieldProps = { param: Param; value: ParamValue; onValue(value: ParamValue): void };

const NONE = '';

function ParamField({ param, value, onValue }: ParamFieldProps): ReactNode {
  const { label, type, values = [], min, max, step, readOnly, allowNone, noneLabel } = param;
  if (type === 'enum') {
    const options = values.map((one) => ({ id: one, label: paramText(one) }));
    const none = { id: NONE, label: noneLabel ?? 'None' };
    return (
      <NativeSelect
        label={label}
        value={value === null ? NONE : String(value)}
        disabled={readOnly}
        options={allowNone ? [none, ...options] : options}
        onChoose={(chosen) => onValue(chosen === NONE ? null : chosen)}
      />
    );
  }
  if (type === 'number') {
    const limits = {
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      ...(step === undefined ? {} : { step }),
    };
    const number = typeof value === 'number' ? value : null;
    return (
      <NumberField label={label} value={number} limits={limits} readOnly={readOnly} onNumber={onValue} />
    );
  }
  return (
    <TextField
      label={label}
      value={value === null ? '' : String(value)}
      readOnly={readOnly}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}

type ParamFieldsProps = Pick<ReturnType<typeof useParameters>, 'values' | 'setValue'> & { family: Family };

const ParamFields = ({ family, values, setValue }: ParamFieldsProps): ReactNode =>
  family.params.map((param) => (
    <ParamField
      key={param.name}
      param={param}
      value={values[param.name] ?? null}
      onValue={(value) => setValue(param.name, value)}
    />
  ));

type ParameterFormProps = {
  id: string;
  family: Family;
  timeframes: readonly { key: Timeframe; label: string }[];
  multipleTimeframes: boolean;
  onSave(choices: IndicatorChoice[]): void;
};

/** The form of an indicator's parameters. Without a timeframe, Save only marks what is missing. */
export function ParameterForm(props: ParameterFormProps): ReactNode {
  const { family, onSave } = props;
  const parameters = useParameters(family);
  const timeframeSelect = useRef<HTMLSelectElement>(null);
  const form = useRef<HTMLFormElement>(null);
  // The element that had the focus in the picker is gone.
  useEffect(() => form.current?.querySelector<HTMLElement>('select, input:not([readonly])')?.focus(), []);
  const save = (event: FormEvent) => {
    event.preventDefault();
    // React bubbles a portal's events to the form around the dialog, which must not be submitted too.
    event.stopPropagation();
    const choices = parameters.check();
    if (choices) return onSave(choices);
    if (parameters.timeframes.length === 0) timeframeSelect.current?.focus();
  };
  return (
    <form id={props.id} ref={form} className="stack" noValidate onSubmit={save}>
      <ParamFields family={family} {...parameters} />
      {family.hasTimeframes && (
        <TimeframeField
          options={props.timeframes.filter(({ key }) => family.timeframes.includes(key))}
          chosen={parameters.timeframes}
          multiple={props.multipleTimeframes}
          isProposal={parameters.isProposal}
          isWrong={parameters.isTimeframeMissing}
          selectRef={timeframeSelect}
          onChoose={parameters.setTimeframes}
        />
      )}
      {family.delaysAvailable.length > 0 && (
        <DelaySelect family={family} delay={parameters.delay} onChoose={parameters.setDelay} />
      )}
      <FormError>{parameters.problem}</FormError>
      <p className="muted table-text">
        {resultText(family, parameters.values, parameters.timeframes.length)}
      </p>
    </form>
  );
}

type DelaySelectProps = { family: Family; delay: number; onChoose(delay: number): void };

function DelaySelect({ family, delay, onChoose }: DelaySelectProps): ReactNode {
  return (
    <NativeSelect
      label="Delay"
      value={String(delay)}
      options={[0, ...family.delaysAvailable].map((bars) => ({ id: String(bars), label: delayText(bars) }))}
      onChoose={(bars) => onChoose(Number(bars))}
    />
  );
}

const delayText = (bars: number): string => (bars === 0 ? 'Now' : `${bars} bar${bars === 1 ? '' : 's'} ago`);

function resultText(
  family: Family,
  values: Readonly<Record<string, ParamValue>>,
  timeframes: number,
): string {
  const texts = family.params.flatMap((param) => values[param.name] ?? []).map(paramText);
  const name = texts.length === 0 ? family.label : `${family.label}(${texts.join(', ')})`;
  return family.hasTimeframes && timeframes > 1 ? `${name} on ${timeframes} timeframes` : name;
}

type PickerListProps = {
  query: string;
  moreFields: readonly FieldOption[];
  columns: readonly FieldOption[] | undefined;
  searchRef: RefObject<HTMLInputElement | null>;
  onQuery(query: string): void;
  onPick(item: PickItem): void;
};

/** All choices in three groups, filtered by the search field; arrow keys move. */
function PickerList({ query, searchRef, onQuery, onPick, ...fields }: PickerListProps): ReactNode {
  const groups = usePickGroups(query, fields);
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

function moveFocus(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .picker-item')];
  stops[stops.indexOf(document.activeElement as HTMLElement) + by]?.focus();
}

function usePickGroups(
  query: string,
  { moreFields, columns }: Pick<PickerListProps, 'moreFields' | 'columns'>,
): PickGroup[] {
  const platform = platformCatalog.value;
  const custom = customCatalog.value;
  return useMemo(
    () =>
      pickGroups(
        {
          indicators: platform?.catalog.indicators ?? {},
          unavailable: platform?.unavailable ?? [],
          fields: columns ? [] : [...(platform?.catalog.fields ?? BROKER_FIELDS), ...moreFields],
          columns,
          custom: custom?.families.htf_candle ?? null,
        },
        query,
      ),
    [platform, custom, query, moreFields, columns],
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

/** The custom family (htf_candle) as a family without timeframe and delay. */
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

type Step = { kind: 'picker' } | { kind: 'parameters'; family: Family; isCandle: boolean };

type PickerStepsInput = { onAdd(result: PickerResult): void; onClose(): void };

const PICKER: Step = { kind: 'picker' };

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
      // The search field can get the focus only after the picker is rendered.
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
  moreFields?: readonly FieldOption[];
  /** Offered first, in place of the broker fields, which are among them. */
  columns?: readonly FieldOption[];
  multipleTimeframes?: boolean;
};

/** The picker and the parameters in one dialog. Import it lazily: it loads Base UI. */
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
          columns={props.columns}
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

export type PickerResult =
  | { kind: 'field'; key: string }
  | { kind: 'htf'; choice: HtfChoice }
  | { kind: 'indicator'; choices: IndicatorChoice[] };
