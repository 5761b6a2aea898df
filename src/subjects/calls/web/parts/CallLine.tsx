import { Fragment, useEffect, useState } from 'react';
import { closeText, summariseCall } from '../../rules/callSummary.ts';
import type { FormNotes } from '../../rules/formNotes.ts';
import type { CallInput } from '../../rules/types.ts';
import './CallLine.css';

/** The call in words, as Submit would send it; a level close to the entry is marked. */
export function CallLine({ form }: { form: CallInput }) {
  const parts = summariseCall(form);
  if (parts === null) return null;
  const warning = closeText(parts);
  return (
    <p className="call-line">
      {parts.map(({ text, isClose }, index) => (
        <Fragment key={text}>
          {index > 0 && ', '}
          {isClose ? <mark>{text}</mark> : text}
        </Fragment>
      ))}
      .{warning !== null && <strong> {warning}</strong>}
    </p>
  );
}

/** A number that is still typed changes the others with every key; they are read out once it rests. */
const REST_MS = 600;

/** Reads out what the form changed by itself. */
export function NotesAnnouncer({ notes }: { notes: FormNotes }) {
  const [said, setSaid] = useState('');
  const text = Object.values(notes)
    .map((note) => `${note.text}.`)
    .join(' ');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}
