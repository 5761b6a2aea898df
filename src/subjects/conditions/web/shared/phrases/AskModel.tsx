import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api, messageOf, unwrap } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { Button } from '#ui/Button.tsx';
import { FormError } from '#ui/FormError.tsx';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { phraseAnswer } from '#subjects/conditions/answers/phrase.ts';
import { ALERT_LOGIC, conditionsOf, type LogicKind } from '#subjects/conditions/rules/condition.ts';
import type { Missed, PhraseReading, Proposal } from '#subjects/conditions/rules/phrases/readPhrase.ts';

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
      const pending = api.conditions.read.post(body, { fetch: { signal: stop.signal } });
      const answer = await unwrap(pending, readerOf(phraseAnswer));
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
export function AskModel(props: AskModelProps): ReactNode {
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
