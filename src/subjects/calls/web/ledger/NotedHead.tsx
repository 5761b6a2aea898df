import { type FormEvent, type ReactNode, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/TextField.tsx';
import type { Refusal } from '#lib/result.ts';
import type { Head } from '#subjects/calls/rules/ledger/line.ts';
import { compareNoted, readNoted, splitNoted } from '#subjects/calls/rules/ledger/noted.ts';
import { CallsPanel } from '../parts/CallsPanel.tsx';
import type { Verification } from './verify/verification.ts';

const NOTHING = { number: '', hash: '' };

type TypedHead = typeof NOTHING;

/** What is typed, and the head that is compared; what is typed on ends that. */
function useNoted(verification: Verification) {
  const [typed, setTyped] = useState(NOTHING);
  const [noted, setNoted] = useState<Head | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const type = (change: Partial<TypedHead>): void => {
    setTyped((before) => splitNoted({ ...before, ...change }));
    setNoted(null);
    setRefusal(null);
  };
  const compare = (event: FormEvent): void => {
    event.preventDefault();
    const read = readNoted(typed);
    setNoted(read.ok ? read.value : null);
    setRefusal(read.ok ? null : read.error);
    if (read.ok) void verification.run();
  };
  const errorOf = (field: keyof TypedHead): string | null =>
    refusal?.field === field ? refusal.message : null;
  return { typed, noted, type, compare, errorOf };
}

/** A head that somebody noted, held against the chain of today. */
export function NotedHead({ verification }: { verification: Verification }): ReactNode {
  const { typed, noted, type, compare, errorOf } = useNoted(verification);
  return (
    <CallsPanel title="A head that you noted" className="ledger-noted">
      <form noValidate onSubmit={compare}>
        <TextField
          label="Line"
          inputMode="numeric"
          autoComplete="off"
          value={typed.number}
          error={errorOf('number')}
          onChange={(event) => type({ number: event.target.value })}
        />
        <TextField
          label="Hash"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          value={typed.hash}
          error={errorOf('hash')}
          onChange={(event) => type({ hash: event.target.value })}
        />
        <Button type="submit">Compare</Button>
      </form>
      <div role="status">{noted !== null && <Compared noted={noted} verification={verification} />}</div>
    </CallsPanel>
  );
}

function Compared({ noted, verification }: { noted: Head; verification: Verification }): ReactNode {
  const { isDone, error } = verification.progress.value;
  if (!isDone) return <p className="muted">{error === null ? 'Going through the chain…' : error}</p>;
  const { chain } = verification;
  const { isWell, text } = compareNoted(noted, {
    checked: chain.checked,
    isWhole: chain.fault === null,
    hashOf: (number) => chain.hashOf(number),
  });
  return isWell ? <p className="ledger-well">{text}</p> : <Banner variant="warn">{text}</Banner>;
}
