import { type ReactNode, type RefObject, useEffect, useRef, useState, useMemo } from 'react';
import { flushSync } from 'react-dom';
import { type ScannerFilters, passesFilters } from '#market/scanners/rules/filters.ts';
import { MAX_SCAN_NAME_LENGTH, checkScanName } from '#subjects/conditions/rules/savedScan.ts';
import { ConditionEditor } from '#subjects/conditions/web/shared/ConditionEditor.tsx';
import { stocks } from '#web/live/market.ts';
import { Banner, FormError, RetryBanner } from '#ui/Banner.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { NativeSelect, TextField } from '#ui/Field.tsx';
import {
  addDraftIndicators,
  changeError,
  dismissChangeError,
  dropDraftIndicators,
  selectedIndicators,
  saveScan,
  scans,
} from './state.ts';
import { Button } from '#ui/Button.tsx';
import { fetchLists } from '#subjects/alerts/web/shared/watchlists.ts';
import type { ListSide, NamedList, ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import { MESSAGES } from '#texts/messages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { type Logic, operandsOf } from '#subjects/conditions/rules/condition.ts';
import { cellText } from '#market/scanners/rules/cellText.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { Column } from '#market/scanners/rules/columns.ts';
import { useArriving, useMatches } from '#subjects/conditions/web/shared/operands.ts';
import { countText, useOperandColumns, useListedMatches } from './scanMatches.ts';
import {
  conditionsRefusal,
  type DraftCondition,
  draftOf,
  logicOf,
  newCondition,
} from '#subjects/conditions/rules/draft.ts';
import { failed, type Refusal, type Result } from '#lib/result.ts';
import { keptInput, useHeldInput } from '#subjects/accounts/web/shared/session/interruption.ts';

type Typed = { name: string; conditions: readonly DraftCondition[]; lists: ScanLists | null };
type ScanDraft = ReturnType<typeof useScanDraft>;

type KeptScan = Typed & { id: number | null };

/** Input kept from a session that ended while the editor was open. */
function keptScan(id: number | null): KeptScan | null {
  const kept = keptInput('scan') as KeptScan | undefined;
  return kept?.id === id ? kept : null;
}

function startOf(id: number | null, isKept: boolean): Typed & { isNew: boolean } {
  // The scans may not be loaded yet.
  if (isKept) return { isNew: id === null, name: '', conditions: [], lists: null };
  const scan = scans.peek()?.find((one) => one.id === id);
  return scan
    ? { isNew: false, name: scan.name, conditions: draftOf(scan.logic), lists: scan.lists }
    : { isNew: true, name: '', conditions: [newCondition([])], lists: null };
}

function checkDraft(typed: string, conditions: readonly DraftCondition[]): Result<string> {
  const name = checkScanName(typed);
  if (!name.ok) return name;
  const refusal = conditionsRefusal(conditions);
  return refusal ? failed(refusal) : name;
}

function useTypedScan(id: number | null) {
  const [kept] = useState(() => keptScan(id));
  const [start] = useState(() => startOf(id, kept !== null));
  const [name, setName] = useState(kept?.name ?? start.name);
  const [conditions, setConditions] = useState(kept?.conditions ?? start.conditions);
  const [lists, setLists] = useState(kept?.lists ?? start.lists);
  const isChanged = name !== start.name || conditions !== start.conditions || lists !== start.lists;
  useHeldInput('scan', isChanged ? ({ id, name, conditions, lists } satisfies KeptScan) : undefined);
  return { isNew: start.isNew, isChanged, name, setName, conditions, setConditions, lists, setLists };
}

const changing =
  <T,>(set: (next: T) => void, also: () => void) =>
  (next: T): void => {
    set(next);
    also();
  };

export function useScanDraft(id: number | null) {
  const { isNew, isChanged, name, conditions, lists, ...typed } = useTypedScan(id);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [showsProblems, setShowsProblems] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const logic = useMemo(() => logicOf(conditions), [conditions]);
  const forgive = (): void => setRefusal(null);
  return {
    isNew,
    isChanged,
    name,
    conditions,
    setName: changing<string>(typed.setName, forgive),
    setConditions: changing<readonly DraftCondition[]>(typed.setConditions, forgive),
    /** The scan's watchlists; null for all stocks. */
    lists,
    setLists: changing<ScanLists | null>(typed.setLists, forgive),
    /** The conditions, without incomplete ones. */
    logic,
    refusal,
    /** True after the first attempt to save, which marks missing values. */
    showsProblems,
    isSaving,
    /** Returns whether the scan was saved; if not, `refusal` says why. */
    async save(): Promise<boolean> {
      setShowsProblems(true);
      const checked = checkDraft(name, conditions);
      setRefusal(checked.ok ? null : checked.error);
      if (!checked.ok) return false;
      setSaving(true);
      const refused = await saveScan(id, { name: checked.value, logic, lists });
      setSaving(false);
      setRefusal(refused);
      return refused === null;
    },
  };
}

type PreviewProps = {
  /** The same object while the conditions stay the same. */
  logic: Logic;
  /** The same object while the choice stays the same. */
  lists: ScanLists | null;
  stocks: ReadonlyMap<string, Stock>;
  /** The scanner's filters, and the Sydney date that they use. */
  filters: ScannerFilters;
  today: string;
};

const MAX_ROWS = 6;

/** Sorts by value traded today, highest first, then by code. */
const mostTraded = (stocks: Iterable<Stock>): Stock[] =>
  [...stocks]
    .sort((a, b) => (b.value ?? -1) - (a.value ?? -1) || (a.code < b.code ? -1 : 1))
    .slice(0, MAX_ROWS);

/** The values that the conditions read: of the matches, or of the most traded stocks if nothing matches. */
function Preview({ logic, lists, stocks, filters, today }: PreviewProps): ReactNode {
  const { matches } = useListedMatches(useMatches(logic, stocks), lists);
  const operands = useMemo(() => operandsOf(logic), [logic]);
  const columns = useOperandColumns(operands);
  const isPartial = useArriving(operands, stocks);
  if (logic.conditions.length === 0 || matches === null) return null;
  const found = [...matches].flatMap((code) => stocks.get(code) ?? []);
  const shown = found.filter((stock) => passesFilters(stock, filters, today)).length;
  const rows = mostTraded(found.length > 0 ? found : stocks.values());
  return (
    <section className="self-stretch stack gap-1" aria-label="Current matches">
      <p className="preview-count wrap">
        <strong>{countText({ matches: matches.size, total: stocks.size, shown, isPartial })}</strong>
        {found.length === 0 && rows.length > 0 && (
          <span className="muted">Most traded stocks, for comparison</span>
        )}
        {found.length > MAX_ROWS && <span className="muted">Most traded matches</span>}
      </p>
      <PreviewTable columns={columns} rows={rows} />
    </section>
  );
}

function PreviewTable({ columns, rows }: { columns: readonly Column[]; rows: readonly Stock[] }): ReactNode {
  return (
    <div className="preview-scroll" tabIndex={0} role="region" aria-label="Values of the conditions">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">Code</th>
            {columns.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((stock) => (
            <tr key={stock.code}>
              <th scope="row">{stock.code}</th>
              {columns.map((column) => (
                <td key={column.id}>{cellText(column, stock)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type ListsFieldProps = {
  lists: ScanLists | null;
  isWrong: boolean;
  onChoose(lists: ScanLists | null): void;
};

const ALL = 'all';

const SIDES = [
  { id: ALL, label: 'All stocks' },
  { id: 'on', label: 'On my lists' },
  { id: 'off', label: 'Not on my lists' },
] as const;

/** The lists to choose from. A deleted list stays an option while it is chosen. */
function optionsOf(known: readonly NamedList[] | null, { id, name }: ScanLists) {
  const options = (known ?? []).map((list) => ({ id: String(list.id), label: list.name }));
  const isMissing = id !== null && !known?.some((list) => list.id === id);
  const missing = { id: String(id), label: known === null ? (name ?? '') : `${name ?? 'A list'} (deleted)` };
  return [{ id: ALL, label: 'All my lists' }, ...options, ...(isMissing ? [missing] : [])];
}

function ListsField({ lists, isWrong, onChoose }: ListsFieldProps): ReactNode {
  const { data, error, reload } = useLoaded(fetchLists, MESSAGES.watchlist.load);
  const chooseSide = (side: ListSide | typeof ALL): void =>
    onChoose(side === ALL ? null : { id: null, name: null, ...lists, side });
  const chooseList = (chosen: string): void => {
    const list = data?.find(({ id }) => String(id) === chosen);
    if (lists && (list || chosen === ALL)) {
      onChoose({ side: lists.side, id: list?.id ?? null, name: list?.name ?? null });
    }
  };
  return (
    <>
      <div className="form-row">
        <NativeSelect label="Stocks" value={lists?.side ?? ALL} options={SIDES} onChoose={chooseSide} />
        {lists && (
          <NativeSelect
            label="Lists"
            value={lists.id === null ? ALL : String(lists.id)}
            options={optionsOf(data, lists)}
            aria-invalid={isWrong || undefined}
            onChoose={chooseList}
          />
        )}
      </div>
      {lists && error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
    </>
  );
}

type EditorButtonsProps = {
  isLeaving: boolean;
  isSaving: boolean;
  onKeepEditing(): void;
  onDiscard(): void;
  onCancel(): void;
  onSave(): void;
};

function EditorButtons(props: EditorButtonsProps): ReactNode {
  const { isLeaving, isSaving } = props;
  const discard = useRef<HTMLButtonElement>(null);
  // The button that asked is gone, so focus the one that discards.
  useEffect(() => {
    if (isLeaving) discard.current?.focus();
  }, [isLeaving]);
  if (isLeaving) {
    return (
      <>
        <span className="editor-leaving push-start self-center" role="alert">
          Your changes are not saved.
        </span>
        <Button onClick={props.onKeepEditing}>Keep editing</Button>
        <Button variant="danger" ref={discard} onClick={props.onDiscard}>
          Discard
        </Button>
      </>
    );
  }
  return (
    <>
      <Button disabled={isSaving} onClick={props.onCancel}>
        Cancel
      </Button>
      <Button variant="primary" disabled={isSaving} onClick={props.onSave}>
        {isSaving ? 'Saving…' : 'Save'}
      </Button>
    </>
  );
}

type ScanEditorProps = {
  /** Id of the scan; null for a new one. */
  id: number | null;
  /** The scanner's filters, and the Sydney date that they use. */
  filters: ScannerFilters;
  today: string;
  onClose(): void;
};

/** Asks before unsaved changes are lost. If the user stays, editing resumes at the same element. */
function useLeaving(draft: ScanDraft, nameBox: RefObject<HTMLInputElement | null>, onClose: () => void) {
  const [isLeaving, setLeaving] = useState(false);
  const cameFrom = useRef<Element | null>(null);
  const close = () => {
    if (draft.isSaving) return;
    if (!draft.isChanged || isLeaving) return onClose();
    cameFrom.current = document.activeElement;
    setLeaving(true);
  };
  const keepEditing = () => {
    flushSync(() => setLeaving(false));
    const from = cameFrom.current;
    (from instanceof HTMLElement && from.isConnected ? from : nameBox.current)?.focus();
  };
  return { isLeaving, close, keepEditing, stay: () => setLeaving(false) };
}

export function ScanEditor({ id, filters, today, onClose }: ScanEditorProps): ReactNode {
  const draft = useScanDraft(id);
  const form = useRef<HTMLDivElement>(null);
  const nameBox = useRef<HTMLInputElement>(null);
  const { isLeaving, close, keepEditing, stay } = useLeaving(draft, nameBox, onClose);
  useEffect(() => () => void dropDraftIndicators(), []);
  const save = async () => {
    if (await draft.save()) onClose();
    else form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  return (
    <DialogSheet
      open
      width="wide"
      title={draft.isNew ? 'New scan' : 'Edit scan'}
      onClose={close}
      initialFocus={nameBox}
      footer={
        <EditorButtons
          isLeaving={isLeaving}
          isSaving={draft.isSaving}
          onKeepEditing={keepEditing}
          onDiscard={onClose}
          onCancel={close}
          onSave={() => void save()}
        />
      }
    >
      <div className="scan-editor stack align-start" ref={form}>
        <ScanFields draft={draft} nameBox={nameBox} filters={filters} today={today} onEdit={stay} />
      </div>
    </DialogSheet>
  );
}

type ScanFieldsProps = Pick<ScanEditorProps, 'filters' | 'today'> & {
  draft: ScanDraft;
  nameBox: RefObject<HTMLInputElement | null>;
  onEdit(): void;
};

const editedBy =
  (onEdit: () => void) =>
  <T,>(set: (value: T) => void) =>
  (value: T): void => {
    set(value);
    onEdit();
  };

function ScanFields({ draft, nameBox, filters, today, onEdit }: ScanFieldsProps): ReactNode {
  const edited = editedBy(onEdit);
  return (
    <>
      <TextField
        ref={nameBox}
        label="Name"
        value={draft.name}
        maxLength={MAX_SCAN_NAME_LENGTH}
        aria-invalid={draft.refusal?.field === 'name' || undefined}
        onChange={({ target }) => edited(draft.setName)(target.value)}
      />
      <ListsField
        lists={draft.lists}
        isWrong={draft.refusal?.field?.startsWith('lists') ?? false}
        onChoose={edited(draft.setLists)}
      />
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      <ConditionEditor
        conditions={draft.conditions}
        indicators={selectedIndicators.value}
        stocks={stocks.value}
        showsProblems={draft.showsProblems}
        wrong={draft.refusal?.field ?? null}
        onChange={edited(draft.setConditions)}
        onIndicatorsPicked={(indicators) => void addDraftIndicators(indicators)}
      />
      <FormError>{draft.refusal?.message}</FormError>
      <Preview
        logic={draft.logic}
        lists={draft.lists}
        stocks={stocks.value}
        filters={filters}
        today={today}
      />
    </>
  );
}
