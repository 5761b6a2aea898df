import './ManualQuestion.css';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { checkQuestion } from '../../../subjects/questions/rules/question.ts';
import type { Refusal } from '../../../lib/result.ts';
import { api, refusalOf, unwrap } from '../../../../web/api/client.ts';
import { appInfo } from '../../../../web/shared/appInfo.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { describedBy, Field } from '../../../../web/ui/Field.tsx';
import { FormError } from '../../../../web/ui/FormError.tsx';
import { TextField } from '../../../../web/ui/TextField.tsx';
import { type AiResponse, readResponse } from './readResponse.ts';

/** An administrator's own. */
const OWN_LEVEL = 4;

async function ask(question: string, forceAccessLevel: number, signal: AbortSignal): Promise<AiResponse> {
  // Read apart: the texts that are shown are made of what the server sends.
  return readResponse(
    await unwrap(api.admin.askai.post({ question, forceAccessLevel }, { fetch: { signal } })),
  );
}

/** A question to the model, answered as for an account of the chosen level. */
export function ManualQuestion() {
  const id = useId();
  const [question, setQuestion] = useState('');
  const [level, setLevel] = useState(String(OWN_LEVEL));
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [answer, setAnswer] = useState<AiResponse | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);
  const isWithoutModel = appInfo.value?.hasModel === false;
  const errorOf = (field: string): string | null => (refusal?.field === field ? refusal.message : null);
  const questionError = errorOf('question');
  const isOfField = questionError !== null || errorOf('forceAccessLevel') !== null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (running) return;
    const checked = checkQuestion(
      { question, forceAccessLevel: level.trim() === '' ? '-' : level },
      OWN_LEVEL,
    );
    if (!checked.ok) return setRefusal(checked.error);
    const stop = new AbortController();
    current.current = stop;
    setRunning(stop);
    setRefusal(null);
    setAnswer(null);
    try {
      setAnswer(await ask(checked.value.question, checked.value.level, stop.signal));
    } catch (problem) {
      if (!stop.signal.aborted) setRefusal(refusalOf(problem, ADMIN_MESSAGES.generateResponse));
    }
    setRunning(null);
  };

  return (
    <form className="manual-question" noValidate onSubmit={(event) => void submit(event)}>
      <Field id={id} label="Question" error={questionError}>
        <textarea
          id={id}
          className="input question-text"
          rows={3}
          value={question}
          aria-invalid={questionError !== null || undefined}
          aria-describedby={describedBy(id, { error: questionError })}
          onChange={(event) => setQuestion(event.target.value)}
        />
      </Field>
      <div className="question-level">
        <TextField
          label="Access Level"
          type="number"
          min={0}
          max={4}
          value={level}
          help="0 is a visitor, 4 an administrator."
          error={errorOf('forceAccessLevel')}
          onChange={(event) => setLevel(event.target.value)}
        />
      </div>
      <div className="question-actions">
        <Button type="submit" variant="primary" disabled={running !== null}>
          {running ? 'Generating…' : 'Generate Response'}
        </Button>
        {running && <Button onClick={() => running.abort()}>Stop</Button>}
      </div>
      {isWithoutModel && refusal === null && (
        <p className="muted">
          No model is configured. Set <code>BELLBIRD_AI_URL</code> and <code>BELLBIRD_AI_MODEL</code>.
        </p>
      )}
      {refusal !== null && !isOfField && <FormError>{refusal.message}</FormError>}
      {answer && <Response answer={answer} />}
    </form>
  );
}

function Response({ answer: { response, meta } }: { answer: AiResponse }) {
  return (
    <section className="question-response" aria-label="Response" aria-live="polite">
      <p className="question-answer">{response === '' ? 'The model gave no answer.' : response}</p>
      <dl>
        {meta.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
