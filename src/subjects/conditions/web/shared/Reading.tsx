import { ASK_LEVEL } from '#platform/http/rules/accessLevel.ts';
import { counted } from '#texts/format.ts';
import { type ReactNode, useEffect, useState, type RefObject, useId, useRef } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { FormError, RetryBanner } from '#ui/Banner.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import {
  catalogError,
  isCatalogLoading,
  loadCatalogs,
  platformCatalog,
} from '#web/shared/indicators/catalog.ts';
import { type LogicKind, ALERT_LOGIC, conditionsOf } from '../../rules/condition.ts';
import type { DraftCondition } from '../../rules/draft.ts';
import {
  readPhrase,
  type Missed,
  ownConditions,
  type PhraseReading,
  type Proposal,
  withProposals,
} from '../../rules/phrases/readPhrase.ts';
import XIcon from 'lucide-react/icons/x';
import { flushSync } from 'react-dom';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { logicText } from '../../rules/logicText.ts';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { sectorsOf } from './ConditionRow.tsx';
import { phraseAnswer } from '../../answers/logic.ts';

/** Limit of pieces; the model cannot help with more. */
const MAX_PIECES = 20;

type AskModelProps = {
  text: string;
  missed: readonly Missed[];
  kind: LogicKind;
  /** Called with the model's proposals for the missed pieces. */
  onAnswer(reading: PhraseReading): void;
};

/** The group of the missed piece that contains these words. */
const groupOf = (words: string, missed: readonly Missed[]): number | undefined =>
  missed.find((one) => one.said.toLowerCase().includes(words.toLowerCase()))?.group;

/** Pieces that the model missed too; they keep their group. */
const stillMissed = (unread: readonly Missed[], missed: readonly Missed[]): Missed[] =>
  unread.map((one) => {
    const group = groupOf(one.said, missed);
    return { ...one, ...(group !== undefined && { group }) };
  });

/** The model's proposals; each joins the group of its missed piece. */
const proposalsOf = (
  { proposals }: NonNullable<ReturnType<typeof phraseAnswer.read>>,
  missed: readonly Missed[],
): Proposal[] =>
  proposals.flatMap(({ logic, said }) => {
    const more = {
      said,
      group: groupOf(said, missed) ?? null,
      note: 'Proposed by the model: check it before you use it.',
      isDoubtful: true,
    };
    return conditionsOf(logic).map((condition) => ({ condition, ...more }));
  });

/** Asks the model. Aborts when the component unmounts. */
function useAsking({ text, missed, kind, onAnswer }: AskModelProps) {
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const ask = async (): Promise<void> => {
    const stop = new AbortController();
    current.current = stop;
    setAsking(true);
    setFailure(null);
    const pieces = missed.slice(0, MAX_PIECES).map(({ said }) => said);
    const body = { text, pieces, kind: kind === ALERT_LOGIC ? ('alert' as const) : ('scan' as const) };
    try {
      const answer = await request('POST /api/conditions/read', {
        body,
        signal: stop.signal,
        read: readerOf(phraseAnswer),
      });
      if (stop.signal.aborted) return;
      setAsking(false);
      onAnswer({ proposals: proposalsOf(answer, missed), missed: stillMissed(answer.missed, missed) });
    } catch (problem) {
      if (stop.signal.aborted) return;
      setAsking(false);
      setFailure(messageOf(problem, 'The model could not be reached. Try again.'));
    }
  };
  return { isAsking, failure, ask };
}

/** The button that asks the model; hidden if there is no model, or if the plan has no questions. */
function AskModel(props: AskModelProps): ReactNode {
  const { isAsking, failure, ask } = useAsking(props);
  const hasModel = appInfo.value?.hasModel ?? false;
  if (!hasModel || session.value.accessLevel < ASK_LEVEL || props.missed.length === 0) return null;
  return (
    <div className="stack">
      <div className="row">
        <Button aria-disabled={isAsking || undefined} onClick={() => void (isAsking || ask())}>
          {isAsking ? 'Asking the model…' : 'Ask the model'}
        </Button>
        <span className="muted">about the rest. It proposes, you choose</span>
      </div>
      <FormError>{failure}</FormError>
    </div>
  );
}

type Item = { id: number; proposal: Proposal; isChosen: boolean };

/** Proposals as items. Doubtful ones start unticked, so that the user decides on each. */
const itemsOf = (proposals: readonly Proposal[], first = 0): Item[] =>
  proposals.map((proposal, at) => ({ id: first + at, proposal, isChosen: !proposal.isDoubtful }));

/** The result as one sentence for screen readers. */
function summaryOf({ proposals, missed }: PhraseReading): string {
  const read =
    proposals.length === 0 ? 'No conditions found' : `${counted(proposals.length, 'condition')} found`;
  const doubtful = proposals.filter(({ isDoubtful }) => isDoubtful).length;
  const check = doubtful === 0 ? '' : `, ${doubtful} to check`;
  const unread = missed.length === 0 ? '' : `; ${counted(missed.length, 'part')} not understood`;
  return `${read}${check}${unread}.`;
}

type ProposalsProps = {
  text: string;
  reading: PhraseReading;
  kind: LogicKind;
  catalog: Catalog;
  conditions: readonly DraftCondition[];
  onUse(conditions: readonly DraftCondition[], first: number): void;
  /** Called with one sentence about the result. Must be stable. */
  onRead(summary: string): void;
  onClose(): void;
};

/** The items of a reading. Keeps the focus in the frame when the focused element disappears. */
function useItems(first: PhraseReading, frame: RefObject<HTMLElement | null>) {
  const [reading, setReading] = useState(first);
  const [items, setItems] = useState(() => itemsOf(first.proposals));
  const answered = (answer: PhraseReading) => {
    setItems((now) => [...now, ...itemsOf(answer.proposals, Math.max(-1, ...now.map(({ id }) => id)) + 1)]);
    setReading((now) => ({ proposals: [...now.proposals, ...answer.proposals], missed: answer.missed }));
    frame.current?.focus();
  };
  const remove = (id: number) => {
    const index = items.findIndex((item) => item.id === id);
    flushSync(() => setItems(items.filter((item) => item.id !== id)));
    const buttons = frame.current?.querySelectorAll<HTMLElement>('.proposal > button') ?? [];
    focusNeighbour(buttons, index, frame.current);
  };
  const change = (id: number, isChosen: boolean) =>
    setItems(items.map((item) => (item.id === id ? { ...item, isChosen } : item)));
  return { reading, items, answered, remove, change };
}

function Proposals(props: ProposalsProps): ReactNode {
  const { catalog, onRead, text, kind } = props;
  const frame = useRef<HTMLElement>(null);
  const { reading, items, answered, remove, change } = useItems(props.reading, frame);
  const summary = summaryOf(reading);
  // Set in an effect, because a live region is announced only if it existed before its text.
  useEffect(() => onRead(summary), [summary, onRead]);
  return (
    <section className="box on-ground pad-2-3 stack" aria-label="What was read" ref={frame} tabIndex={-1}>
      <p className="muted">{summary}</p>
      {items.length > 0 && (
        <ul className="stack gap-2" aria-label="Proposed conditions">
          {items.map((item) => (
            <ProposalRow
              key={item.id}
              item={item}
              isAlternative={isAlternative(items, item)}
              catalog={catalog}
              onChange={(isChosen) => change(item.id, isChosen)}
              onRemove={() => remove(item.id)}
            />
          ))}
        </ul>
      )}
      <MissedList missed={reading.missed} />
      <AskModel text={text} kind={kind} missed={reading.missed} onAnswer={answered} />
      <Buttons {...props} items={items} />
    </section>
  );
}

const isAlternative = (items: readonly Item[], { id, proposal: { group } }: Item): boolean =>
  group !== null && items.some((one) => one.id !== id && one.proposal.group === group);

type ProposalRowProps = {
  item: Item;
  /** True if the condition is in a group of alternatives. */
  isAlternative: boolean;
  catalog: Catalog;
  onChange(isChosen: boolean): void;
  onRemove(): void;
};

function ProposalRow({
  item,
  isAlternative: isOneOf,
  catalog,
  onChange,
  onRemove,
}: ProposalRowProps): ReactNode {
  const id = useId();
  const { condition, said, note, isDoubtful } = item.proposal;
  const words = logicText({ op: 'AND', conditions: [condition] }, catalog);
  return (
    <li className="proposal">
      <label className="check strong">
        <input
          type="checkbox"
          checked={item.isChosen}
          aria-describedby={id}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{words}</span>
      </label>
      <IconButton label={`Remove ${words}`} onClick={onRemove}>
        <XIcon size={15} aria-hidden />
      </IconButton>
      <div className="proposal-said muted small" id={id}>
        {isOneOf && <strong>Any of: </strong>}
        from “{said}”{note !== null && <p className={isDoubtful ? 'warn-text' : undefined}>{note}</p>}
      </div>
    </li>
  );
}

function MissedList({ missed }: { missed: readonly Missed[] }): ReactNode {
  if (missed.length === 0) return null;
  return (
    <ul className="stack gap-2 warn-text" aria-label="Not understood">
      {missed.map(({ said, why }, at) => (
        <li key={`${at} ${said}`}>
          <strong>Not understood: “{said}”</strong> {why}
        </li>
      ))}
    </ul>
  );
}

/** Includes the total if some are not ticked, so that no condition is omitted by accident. */
function amountOf(confirmed: number, all: number): string {
  if (confirmed < all) return `${confirmed} of ${all} conditions`;
  return all === 1 ? 'this condition' : `these ${all} conditions`;
}

type ButtonsProps = Omit<ProposalsProps, 'text' | 'reading' | 'catalog' | 'onRead'> & {
  items: readonly Item[];
};

function Buttons({ items, conditions, kind, onUse, onClose }: ButtonsProps): ReactNode {
  const [refusal, setRefusal] = useState<string | null>(null);
  const confirmed = items.filter(({ isChosen }) => isChosen).map(({ proposal }) => proposal);
  const own = ownConditions(conditions);
  const use = (kept: readonly DraftCondition[]) => {
    const next = withProposals(kept, confirmed, kind);
    setRefusal(next.ok ? null : next.error.message);
    if (next.ok) onUse(next.value.conditions, next.value.first);
  };
  const what = amountOf(confirmed.length, items.length);
  const isNone = confirmed.length === 0;
  return (
    <>
      <FormError>{refusal}</FormError>
      <div className="row">
        {items.length > 0 && own.length === 0 && (
          <Button variant="primary" disabled={isNone} onClick={() => use([])}>
            {isNone ? 'Select what you want' : `Use ${what}`}
          </Button>
        )}
        {items.length > 0 && own.length > 0 && (
          <>
            <Button variant="primary" disabled={isNone} onClick={() => use(own)}>
              {isNone ? 'Select what you want' : `Add ${what}`}
            </Button>
            {!isNone && <Button onClick={() => use([])}>Replace all with {what}</Button>}
          </>
        )}
        <Button variant="quiet" onClick={onClose}>
          Discard
        </Button>
      </div>
    </>
  );
}

export type ReadingProps = {
  text: string;
  conditions: readonly DraftCondition[];
  kind: LogicKind;
  stocks: ReadonlyMap<string, Stock> | undefined;
  /** @param first id of the first added condition */
  onUse(conditions: readonly DraftCondition[], first: number): void;
  /** Called with one sentence about the result, for screen readers. */
  onRead(summary: string): void;
  onClose(): void;
};

/** Reads a phrase once the catalog has loaded. */
export function Reading(props: ReadingProps): ReactNode {
  useEffect(() => void loadCatalogs(), []);
  const platform = platformCatalog.value;
  if (platform !== null) return <Read {...props} {...platform} />;
  if (isCatalogLoading.value || catalogError.value === null) return <p className="muted">Reading…</p>;
  return (
    <RetryBanner onRetry={loadCatalogs}>
      {`Nothing was read because the list of indicators is missing. ${catalogError.value}`}
    </RetryBanner>
  );
}

type ReadProps = ReadingProps & { catalog: Catalog; unavailable: readonly string[] };

function Read({ text, kind, stocks, catalog, unavailable, ...rest }: ReadProps): ReactNode {
  // Read only once, because live prices must not change the result.
  const [reading] = useState(() =>
    readPhrase(text, { catalog, unavailable: new Set(unavailable), sectors: sectorsOf(stocks), kind }),
  );
  return <Proposals {...rest} text={text} kind={kind} catalog={catalog} reading={reading} />;
}
