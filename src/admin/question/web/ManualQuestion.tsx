import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { checkQuestion } from '#subjects/questions/rules/question.ts';
import type { Refusal } from '#lib/result.ts';
import { askAnswer } from '#subjects/questions/answers/answer.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, refusalOf, request } from '#web/api/client.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { Button } from '#ui/Button.tsx';
import { describedBy, Field } from '#ui/Field.tsx';
import { FormError } from '#ui/Banner.tsx';
import { NumberField } from '#ui/NumberField.tsx';

type Answer = Known<typeof askAnswer>;

const count = (value: number): string => value.toLocaleString('en-AU');

const toolText = ({ name, ms, ok }: Answer['meta']['tools'][number]): string =>
  `${name}${ms === null ? '' : ` (${count(ms)} ms)`}${ok === false ? ' failed' : ''}`;

function figuresOf({ model, level, ms, tools, promptTokens, completionTokens }: Answer['meta']) {
  const tokens =
    promptTokens === null || completionTokens === null
      ? null
      : `${count(promptTokens)} in, ${count(completionTokens)} out`;
  const all: [string, string | null][] = [
    ['Model', model],
    ['Access level', level === null ? null : String(level)],
    ['Tokens', tokens],
    ['Time', ms === null ? null : `${count(ms)} ms`],
    ['Tools', tools.length === 0 ? null : tools.map(toolText).join(', ')],
  ];
  return all.flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
}

const OWN_LEVEL = 4;
const LEVEL_LIMITS = { min: 0, max: 4 };

function useQuestion() {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  /** @param level null or NaN if the field has no number, which refuses the question */
  const ask = async (typed: string, level: number | null): Promise<void> => {
    if (running) return;
    const checked = checkQuestion({ question: typed, forceAccessLevel: level ?? Number.NaN }, OWN_LEVEL);
    if (!checked.ok) return setRefusal(checked.error);
    const { question, level: forceAccessLevel } = checked.value;
    const stop = new AbortController();
    current.current = stop;
    setRunning(stop);
    setRefusal(null);
    setAnswer(null);
    try {
      const body = { question, forceAccessLevel };
      setAnswer(
        await request('POST /api/admin/askai', { body, signal: stop.signal, read: readerOf(askAnswer) }),
      );
    } catch (problem) {
      if (!stop.signal.aborted) setRefusal(refusalOf(problem, ADMIN_MESSAGES.generateResponse));
    }
    setRunning(null);
  };
  return { ask, refusal, answer, running };
}

function QuestionText(props: { value: string; error: string | null; onChange: (text: string) => void }) {
  const { value, error, onChange } = props;
  const id = useId();
  return (
    <Field id={id} label="Question" error={error}>
      <textarea
        id={id}
        className="input"
        rows={3}
        value={value}
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy(id, { error })}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

const NoModel = () => (
  <p className="muted">
    No model is configured. Set <code>BELLBIRD_AI_URL</code> and <code>BELLBIRD_AI_MODEL</code>.
  </p>
);

export function ManualQuestion() {
  const [question, setQuestion] = useState('');
  const [level, setLevel] = useState<number | null>(OWN_LEVEL);
  const { ask, refusal, answer, running } = useQuestion();
  const errorOf = (field: string): string | null => (refusal?.field === field ? refusal.message : null);
  const [questionError, levelError] = [errorOf('question'), errorOf('forceAccessLevel')];

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void ask(question, level);
  };

  return (
    <form className="admin-form stack self-stretch" noValidate onSubmit={submit}>
      <QuestionText value={question} error={questionError} onChange={setQuestion} />
      <div className="cluster">
        <NumberField
          label="Access Level"
          {...LEVEL_LIMITS}
          limits={LEVEL_LIMITS}
          keepsOutside={true}
          value={level}
          error={levelError}
          help="0: visitor. 4: administrator."
          onNumber={setLevel}
        />
      </div>
      <div className="row">
        <Button type="submit" variant="primary" disabled={running !== null}>
          {running ? 'Generating…' : 'Generate Response'}
        </Button>
        {running && <Button onClick={() => running.abort()}>Stop</Button>}
      </div>
      {appInfo.value?.hasModel === false && refusal === null && <NoModel />}
      {refusal !== null && questionError === null && levelError === null && (
        <FormError>{refusal.message}</FormError>
      )}
      {answer && <Response answer={answer} />}
    </form>
  );
}

function Response({ answer: { response, meta } }: { answer: Answer }) {
  return (
    <section className="stack gap-2" aria-label="Response" aria-live="polite">
      <p className="text-box">{response || 'The model gave no answer.'}</p>
      <dl className="figures table-text">
        {figuresOf(meta).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
