import { lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Stock } from '#market/rules/stock.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { RetryBoundary } from '#web/shared/RetryBoundary.tsx';
import { Button } from '#ui/Button.tsx';
import { ALERT_LOGIC, type LogicKind } from '../../rules/condition.ts';
import type { DraftCondition } from '../../rules/draft.ts';
import type { ReadingProps } from './Reading.tsx';

const loadReading = () => withStyles(import('./Reading.tsx')).then((code) => ({ default: code.Reading }));

/** Same as `MAX_PHRASE`, which loads with the grammar. */
const MAX_LENGTH = 300;

const EXAMPLES = {
  scan: 'e.g. above its 20-day average, twice its usual volume, gapping over 3 %',
  alert: 'e.g. falls below its 50-day average on twice its usual volume',
} as const;

type SayInWordsProps = {
  conditions: readonly DraftCondition[];
  kind: LogicKind;
  stocks: ReadonlyMap<string, Stock> | undefined;
  /** Holds the rows of the conditions. */
  frame: RefObject<HTMLElement | null>;
  /** Called with the new list after conditions are confirmed. */
  onUse(conditions: readonly DraftCondition[]): void;
};

/** Each reading has its own number, which remounts the result. */
function useSaying() {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<{ text: string; number: number } | null>(null);
  const [heard, setHeard] = useState('');
  return {
    text,
    setText,
    asked,
    heard,
    setHeard,
    read(): void {
      if (text.trim() !== '') setAsked({ text, number: (asked?.number ?? 0) + 1 });
    },
    close(): void {
      setAsked(null);
      setText('');
      setHeard('');
    },
  };
}
type Saying = ReturnType<typeof useSaying>;

/** Reads conditions from words. The proposals are shown below and change nothing until confirmed. */
export function SayInWords(props: SayInWordsProps): ReactNode {
  const { frame, onUse } = props;
  const box = useRef<HTMLInputElement>(null);
  const saying = useSaying();
  const use = (next: readonly DraftCondition[], first: number) => {
    flushSync(() => {
      onUse(next);
      saying.close();
    });
    frame.current?.querySelector<HTMLElement>(`[data-condition="${first}"] select`)?.focus();
  };
  const discard = () => {
    saying.close();
    box.current?.focus();
  };
  return (
    <div className="gap-1 self-stretch stack">
      <Box box={box} kind={props.kind} saying={saying} />
      <p className="visually-hidden" role="status">
        {saying.heard}
      </p>
      {saying.asked && (
        <Result
          key={saying.asked.number}
          {...props}
          text={saying.asked.text}
          onUse={use}
          onRead={saying.setHeard}
          onClose={discard}
        />
      )}
    </div>
  );
}

type BoxProps = { box: RefObject<HTMLInputElement | null>; kind: LogicKind; saying: Saying };

function Box({ box, kind, saying: { text, setText, read } }: BoxProps): ReactNode {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>Say it in words</label>
      <div className="cluster">
        <input
          id={id}
          ref={box}
          className="input grow min-w-0"
          value={text}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          enterKeyHint="go"
          placeholder={kind === ALERT_LOGIC ? EXAMPLES.alert : EXAMPLES.scan}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            read();
          }}
        />
        <Button onClick={read} disabled={text.trim() === ''}>
          Read
        </Button>
      </div>
    </>
  );
}

function Result(props: ReadingProps): ReactNode {
  // `lazy` keeps a failure, so a retry needs a new one.
  const [Reading, setReading] = useState(() => lazy(loadReading));
  return (
    <RetryBoundary
      sentence="What reads words could not be fetched. Check the connection."
      onRetry={() => setReading(() => lazy(loadReading))}
    >
      <Suspense fallback={<p className="muted">Reading…</p>}>
        <Reading {...props} />
      </Suspense>
    </RetryBoundary>
  );
}
