import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { FormError } from '#ui/Banner.tsx';
import { type LogicKind, ALERT_LOGIC, conditionsOf } from '#subjects/conditions/rules/condition.ts';
import type { DraftCondition } from '#subjects/conditions/rules/draft.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import {
  type Missed,
  ownConditions,
  type PhraseReading,
  type Proposal,
  withProposals,
} from '#subjects/conditions/rules/phrases/readPhrase.ts';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { phraseAnswer } from '#subjects/conditions/answers/logic.ts';

/** From this access level on people may ask the model. */
const MODEL_LEVEL = 3;
const FAILED = 'The model could not be asked. Try again.';
const BY_MODEL = 'Proposed by the model: check it before you use it.';

/** More are no phrase that a model could help with. */
const MAX_PIECES = 20;

type AskModelProps = {
  text: string;
  missed: readonly Missed[];
  kind: LogicKind;
  /** With what the model proposes in the place of what was not understood. */
  onAnswer(reading: PhraseReading): void;
};

/** The group of the piece that some words are of. */
const groupOf = (said: string, missed: readonly Missed[]): number | undefined =>
  missed.find((one) => one.said.toLowerCase().includes(said.toLowerCase()))?.group;

/** What the model could still not say, each where it stood. */
const stillMissed = (unsaid: readonly Missed[], missed: readonly Missed[]): Missed[] =>
  unsaid.map((one) => {
    const group = groupOf(one.said, missed);
    return { ...one, ...(group !== undefined && { group }) };
  });

/** What the model proposes, each in the group of the piece that it is of. */
const proposalsOf = (
  { proposals }: NonNullable<ReturnType<typeof phraseAnswer.read>>,
  missed: readonly Missed[],
): Proposal[] =>
  proposals.flatMap(({ logic, said }) => {
    const more = { said, group: groupOf(said, missed) ?? null, note: BY_MODEL, isDoubtful: true };
    return conditionsOf(logic).map((condition) => ({ condition, ...more }));
  });

/** Sends the request; it is given up with what shows it. */
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
      setFailure(messageOf(problem, FAILED));
    }
  };
  return { isAsking, failure, ask };
}

/** Offers to have the model read what was not understood; nothing where there is no model, or the plan has no questions. */
function AskModel(props: AskModelProps): ReactNode {
  const { isAsking, failure, ask } = useAsking(props);
  const hasModel = appInfo.value?.hasModel ?? false;
  if (!hasModel || session.value.accessLevel < MODEL_LEVEL || props.missed.length === 0) return null;
  return (
    <div className="stack">
      <div className="row">
        <Button aria-disabled={isAsking || undefined} onClick={() => void (isAsking || ask())}>
          {isAsking ? 'Asking the model…' : 'Ask the model'}
        </Button>
        <span className="muted">about what was not understood; it proposes, you choose</span>
      </div>
      <FormError>{failure}</FormError>
    </div>
  );
}

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
      <div className="row">
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
