import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState, useMemo } from 'react';
import { flushSync } from 'react-dom';
import { type ScannerFilters, passesFilters } from '#market/scanners/rules/filters.ts';
import { MAX_SCAN_NAME_LENGTH, checkScanName, scanNameFrom } from '#subjects/conditions/rules/savedScan.ts';
import { ConditionEditor, UNUSED_WORDS } from '#subjects/conditions/web/shared/ConditionEditor.tsx';
import { stocks } from '#web/live/market.ts';
import { Banner, FormError, RetryBanner } from '#ui/Banner.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { NativeSelect, TextField, Toggle } from '#ui/Field.tsx';
import {
  activeScan,
  addAlertOn,
  addDraftIndicators,
  changeError,
  dismissChangeError,
  dropDraftIndicators,
  freeName,
  selectedIndicators,
  saveScan,
  scans,
} from './state.ts';
import { Button } from '#ui/Button.tsx';
import type { Sort } from '#market/scanners/rules/scanners.ts';
import type { StockScan } from '#subjects/alerts/answers/scanAlert.ts';
import type { ScanRef } from '#subjects/conditions/rules/operand.ts';
import { type Template, TEMPLATES } from './templates.ts';
import { fetchLists } from '#subjects/alerts/web/shared/watchlists.ts';
import type { ListSide, NamedList, ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import { MESSAGES } from '#texts/messages.ts';
import { confirmSaved } from '#web/shared/saved.ts';
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
import { OddsLink } from '#web/shared/OddsLink.tsx';
import type { OddsSubject } from '#web/shared/oddsPath.ts';
import { failed, type Refusal, type Result } from '#lib/result.ts';
import { keptInput, useHeldInput } from '#subjects/accounts/web/shared/session/interruption.ts';

type Typed = {
  name: string;
  conditions: readonly DraftCondition[];
  lists: ScanLists | null;
  /** Whether saving also adds an alert. */
  isAlerting: boolean;
};
type ScanDraft = ReturnType<typeof useScanDraft>;

type KeptScan = Typed & { id: number | null };

/** Input kept from a session that ended while the editor was open. */
function keptScan(id: number | null): KeptScan | null {
  const kept = keptInput('scan') as KeptScan | undefined;
  return kept?.id === id ? kept : null;
}

function startOf(id: number | null, isKept: boolean): Typed & { isNew: boolean } {
  // The scans may not be loaded yet.
  const blank = { name: '', lists: null, isAlerting: false };
  if (isKept) return { ...blank, isNew: id === null, conditions: [] };
  const scan = scans.peek()?.find((one) => one.id === id);
  return scan
    ? { ...blank, isNew: false, name: scan.name, conditions: draftOf(scan.logic), lists: scan.lists }
    : { ...blank, isNew: true, conditions: [newCondition([])] };
}

const WORDS_REFUSAL: Refusal = { field: 'words', message: UNUSED_WORDS };

function checkDraft(
  typed: string,
  conditions: readonly DraftCondition[],
  hasUnusedWords: boolean,
): Result<string> {
  const refusal = hasUnusedWords ? WORDS_REFUSAL : conditionsRefusal(conditions);
  return refusal ? failed(refusal) : checkScanName(typed);
}

function useTypedScan(id: number | null) {
  const [kept] = useState(() => keptScan(id));
  const [start] = useState(() => startOf(id, kept !== null));
  const [name, setName] = useState(kept?.name ?? start.name);
  const [conditions, setConditions] = useState(kept?.conditions ?? start.conditions);
  const [lists, setLists] = useState(kept?.lists ?? start.lists);
  const [isAlerting, setAlerting] = useState(kept?.isAlerting ?? false);
  const isChanged = name !== start.name || conditions !== start.conditions || lists !== start.lists;
  const typed: Typed = { name, conditions, lists, isAlerting };
  useHeldInput('scan', isChanged ? ({ id, ...typed } satisfies KeptScan) : undefined);
  return {
    ...typed,
    isNew: start.isNew,
    isChanged,
    hasBegun: conditions !== start.conditions,
    setName,
    setConditions,
    setLists,
    setAlerting,
  };
}

/** Proposes names for a scan until the user enters another one. */
function useProposals(name: string, setName: (name: string) => void) {
  const proposed = useRef('');
  return (proposal: string): void => {
    if (name !== proposed.current) return;
    proposed.current = freeName(proposal);
    setName(proposed.current);
  };
}

/** The template that was chosen last, while its conditions are unchanged. */
function useTemplate({ conditions, setConditions }: ReturnType<typeof useTypedScan>) {
  const [chosen, setChosen] = useState<{ template: Template; conditions: Typed['conditions'] } | null>(null);
  return {
    template: chosen?.conditions === conditions ? chosen.template : null,
    sort: chosen?.template.sort ?? null,
    begin(template: Template): void {
      const begun = draftOf(template.logic);
      setConditions(begun);
      setChosen({ template, conditions: begun });
      const read = operandsOf(template.logic).filter((operand) => operand.type !== 'field');
      if (read.length > 0) void addDraftIndicators(read);
    },
  };
}

const changing =
  <T,>(set: (next: T) => void, also: () => void) =>
  (next: T): void => {
    set(next);
    also();
  };

export function useScanDraft(id: number | null) {
  const typed = useTypedScan(id);
  const { isNew, isChanged, name, conditions, lists, isAlerting } = typed;
  const propose = useProposals(name, typed.setName);
  const { template, sort, begin } = useTemplate(typed);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [showsProblems, setShowsProblems] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const hasUnusedWords = useRef(false);
  const noteUnusedWords = useCallback((isUnused: boolean) => {
    hasUnusedWords.current = isUnused;
    if (!isUnused) setRefusal((now) => (now === WORDS_REFUSAL ? null : now));
  }, []);
  const logic = useMemo(() => logicOf(conditions), [conditions]);
  const forgive = (): void => setRefusal(null);
  return {
    isNew,
    isChanged,
    name,
    conditions,
    template,
    /** The sort of the template that the scan began with; null for none. */
    sort,
    /** Whether templates are offered: until the user adds conditions. */
    hasTemplates: isNew && (template !== null || !typed.hasBegun),
    begin(chosen: Template): void {
      forgive();
      begin(chosen);
      propose(chosen.name);
    },
    noteUnusedWords,
    /** Proposes a name from the phrase of the conditions. */
    nameFrom: (words: string): void => propose(scanNameFrom(words)),
    isAlerting,
    setAlerting: typed.setAlerting,
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
    /** Returns whether the scan was saved; if not, `refusal` says why. @param watch what an alert on the scan watches */
    async save(watch: ScanEditorProps['watch']): Promise<boolean> {
      setShowsProblems(true);
      const checked = checkDraft(name, conditions, hasUnusedWords.current);
      setRefusal(checked.ok ? null : checked.error);
      if (!checked.ok) return false;
      setSaving(true);
      const refused = await saveScan(id, { name: checked.value, logic, lists });
      const saved = activeScan.peek();
      const watched = refused === null && isAlerting && saved ? watch({ ...saved, type: 'scan' }) : null;
      if (watched) await addAlertOn(watched);
      else if (refused === null) confirmSaved();
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
      {lists && error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
    </>
  );
}

type EditorButtonsProps = Pick<ScanDraft, 'isNew' | 'isAlerting' | 'setAlerting'> & {
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
      {props.isNew && (
        <span className="editor-leaving push-start self-center">
          <Toggle
            label="Alert me when a stock enters"
            checked={props.isAlerting}
            onChange={props.setAlerting}
          />
        </span>
      )}
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
  /** The template that a new scan begins with. */
  template?: Template | undefined;
  /** The scanner's filters, and the Sydney date that they use. */
  filters: ScannerFilters;
  today: string;
  /** What an alert on a saved scan watches; null if it can't. */
  watch(scan: ScanRef): StockScan | null;
  onSort(sort: Sort): void;
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

export function ScanEditor(props: ScanEditorProps): ReactNode {
  const { id, template, filters, today, watch, onSort, onClose } = props;
  const draft = useScanDraft(id);
  const form = useRef<HTMLDivElement>(null);
  const nameBox = useRef<HTMLInputElement>(null);
  const wordsBox = useRef<HTMLInputElement>(null);
  const { begin } = draft;
  const isBegun = useRef(false);
  useEffect(() => {
    if (template && !isBegun.current) begin(template);
    isBegun.current = true;
  }, [template, begin]);
  const { isLeaving, close, keepEditing, stay } = useLeaving(draft, nameBox, onClose);
  useEffect(() => () => void dropDraftIndicators(), []);
  const save = async () => {
    if (await draft.save(watch)) {
      if (draft.sort) onSort(draft.sort);
      onClose();
    } else form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  return (
    <DialogSheet
      open
      width="wide"
      title={draft.isNew ? 'New scan' : 'Edit scan'}
      onClose={close}
      initialFocus={draft.isNew ? wordsBox : nameBox}
      footer={
        <EditorButtons
          {...draft}
          isLeaving={isLeaving}
          onKeepEditing={keepEditing}
          onDiscard={onClose}
          onCancel={close}
          onSave={() => void save()}
        />
      }
    >
      <div className="scan-editor stack align-start" ref={form}>
        <ScanFields
          draft={draft}
          nameBox={nameBox}
          wordsBox={wordsBox}
          filters={filters}
          today={today}
          onEdit={stay}
        />
        {draft.logic.conditions.length > 0 && <OddsLink {...oddsOf(id, draft, watch)} />}
      </div>
    </DialogSheet>
  );
}

/** The saved scan, or the conditions while they are not saved, with the scanner's filters. */
function oddsOf(id: number | null, draft: ScanDraft, watch: ScanEditorProps['watch']): OddsSubject {
  const { name, logic, lists, isChanged } = draft;
  const watched = watch({ type: 'scan', id: id ?? 0, name });
  if (id !== null && watched !== null && !isChanged) return { scan: watched };
  const { filters } = watched ?? {};
  return {
    scan: { type: 'logic', logic, ...(filters && { filters }), ...(lists && { lists }) },
    subject: id === null ? 'draft' : `scan:${id}`,
    ...(name.trim() !== '' && { name: name.trim() }),
  };
}

type ScanFieldsProps = Pick<ScanEditorProps, 'filters' | 'today'> & {
  draft: ScanDraft;
  nameBox: RefObject<HTMLInputElement | null>;
  wordsBox: RefObject<HTMLInputElement | null>;
  onEdit(): void;
};

const editedBy =
  (onEdit: () => void) =>
  <T,>(set: (value: T) => void) =>
  (value: T): void => {
    set(value);
    onEdit();
  };

type TemplatesProps = { chosen: Template | null; onChoose(template: Template): void };

export const Templates = ({ chosen, onChoose }: TemplatesProps): ReactNode => (
  <div className="row" role="group" aria-label="Templates">
    <span className="muted table-text">Start with</span>
    {TEMPLATES.map((template) => (
      <button
        key={template.name}
        type="button"
        className="tool"
        aria-pressed={template === chosen}
        onClick={() => onChoose(template)}
      >
        {template.name}
      </button>
    ))}
  </div>
);

function ScanFields({ draft, nameBox, wordsBox, filters, today, onEdit }: ScanFieldsProps): ReactNode {
  const edited = editedBy(onEdit);
  // A new scan begins with its conditions, from which its name is proposed.
  const identity = (
    <div className="form-row">
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
    </div>
  );
  return (
    <>
      {!draft.isNew && identity}
      {draft.hasTemplates && <Templates chosen={draft.template} onChoose={edited(draft.begin)} />}
      {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
      <ConditionEditor
        conditions={draft.conditions}
        indicators={selectedIndicators.value}
        stocks={stocks.value}
        showsProblems={draft.showsProblems}
        wrong={draft.refusal?.field ?? null}
        wordsRef={wordsBox}
        onChange={edited(draft.setConditions)}
        onWords={draft.isNew ? draft.nameFrom : undefined}
        onUnusedWords={draft.noteUnusedWords}
        onIndicatorsPicked={(indicators) => void addDraftIndicators(indicators)}
      />
      {draft.isNew && identity}
      <FormError>{draft.refusal === WORDS_REFUSAL ? null : draft.refusal?.message}</FormError>
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
