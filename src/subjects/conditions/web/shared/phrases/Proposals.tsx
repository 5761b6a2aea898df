import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { FormError } from '#ui/FormError.tsx';
import type { LogicKind } from '#subjects/conditions/rules/condition.ts';
import type { DraftCondition } from '#subjects/conditions/rules/draft.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import type { Missed, PhraseReading, Proposal } from '#subjects/conditions/rules/phrases/readPhrase.ts';
import { ownConditions, withProposals } from '#subjects/conditions/rules/phrases/useProposals.ts';
import { AskModel } from './AskModel.tsx';
import './Proposals.css';

/** A proposed condition, and whether the person wants it. */
type Item = { id: number; proposal: Proposal; isChosen: boolean };

/** Of those whose words may mean something else, a person chooses each. */
const itemsOf = (proposals: readonly Proposal[], first = 0): Item[] =>
  proposals.map((proposal, at) => ({ id: first + at, proposal, isChosen: !proposal.isDoubtful }));

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What was read, in one sentence for whoever hears it. */
function summaryOf({ proposals, missed }: PhraseReading): string {
  const read =
    proposals.length === 0 ? 'No condition was read' : `${counted(proposals.length, 'condition')} read`;
  const doubtful = proposals.filter(({ isDoubtful }) => isDoubtful).length;
  const check = doubtful === 0 ? '' : `, ${doubtful} to be looked at first`;
  const unread = missed.length === 0 ? '' : `; ${counted(missed.length, 'piece')} not understood`;
  return `${read}${check}${unread}.`;
}

type ProposalsProps = {
  /** What was typed. */
  text: string;
  reading: PhraseReading;
  kind: LogicKind;
  catalog: Catalog;
  conditions: readonly DraftCondition[];
  onUse(conditions: readonly DraftCondition[], first: number): void;
  /** With one sentence on what was read. Stays the same. */
  onRead(summary: string): void;
  onClose(): void;
};

/** What was read and what is chosen of it. The focus stays in the frame when what has it goes. */
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

/** What a phrase was read as: each condition to confirm or remove, and what was not understood. */
export function Proposals(props: ProposalsProps): ReactNode {
  const { catalog, onRead, text, kind } = props;
  const frame = useRef<HTMLElement>(null);
  const { reading, items, answered, remove, change } = useItems(props.reading, frame);
  const summary = summaryOf(reading);
  // A live region is heard only if it stood there before.
  useEffect(() => onRead(summary), [summary, onRead]);
  return (
    <section className="proposals stack" aria-label="What was read" ref={frame} tabIndex={-1}>
      <p className="proposals-summary">{summary}</p>
      {items.length > 0 && (
        <ul className="proposals-list" aria-label="Proposed conditions">
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
  /** Another one of the list is enough instead of it. */
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
      <label className="proposal-choice">
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
      <p className="proposal-said" id={id}>
        {isOneOf && <strong>Any of: </strong>}
        from “{said}”
        {note !== null && (
          <span className={isDoubtful ? 'proposal-note is-doubt' : 'proposal-note'}>{note}</span>
        )}
      </p>
    </li>
  );
}

function MissedList({ missed }: { missed: readonly Missed[] }): ReactNode {
  if (missed.length === 0) return null;
  return (
    <ul className="proposals-missed" aria-label="Not understood">
      {missed.map(({ said, why }, at) => (
        <li key={`${at} ${said}`}>
          <strong>Not understood: “{said}”</strong> {why}
        </li>
      ))}
    </ul>
  );
}

/** Says when not all of them are ticked, so that nobody leaves one out unseen. */
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
      <div className="row proposals-buttons">
        {items.length > 0 && own.length === 0 && (
          <Button variant="primary" disabled={isNone} onClick={() => use([])}>
            {isNone ? 'Tick what you want' : `Use ${what}`}
          </Button>
        )}
        {items.length > 0 && own.length > 0 && (
          <>
            <Button variant="primary" disabled={isNone} onClick={() => use(own)}>
              {isNone ? 'Tick what you want' : `Add ${what}`}
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
