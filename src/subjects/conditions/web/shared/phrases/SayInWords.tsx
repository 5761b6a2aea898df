import { lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Stock } from '../../../../../market/rules/stock.ts';
import { withStyles } from '../../../../../../web/shared/lateStyles.ts';
import { RetryBoundary } from '../../../../../../web/shared/RetryBoundary.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { ALERT_LOGIC, type LogicKind } from '../../../rules/condition.ts';
import type { DraftCondition } from '../../../rules/draft.ts';
import './SayInWords.css';

const loadReading = () => withStyles(import('./Reading.tsx')).then((code) => ({ default: code.Reading }));

/** As long as what is read; see `MAX_PHRASE`, which comes with the grammar. */
const MAX_LENGTH = 300;

const EXAMPLES = {
  scan: 'e.g. above its 20-day average, twice its usual volume, gapping over 3 %',
  alert: 'e.g. falls below its 50-day average on twice its usual volume',
} as const;

export type SayInWordsProps = {
  conditions: readonly DraftCondition[];
  kind: LogicKind;
  stocks: ReadonlyMap<string, Stock> | undefined;
  /** Holds the rows of the conditions. */
  frame: RefObject<HTMLElement | null>;
  /** Called with the list once conditions were confirmed. */
  onUse(conditions: readonly DraftCondition[]): void;
};

/** A box in which conditions are said in words. What they were read as is shown below, and changes nothing by itself. */
export function SayInWords({ conditions, kind, stocks, frame, onUse }: SayInWordsProps): ReactNode {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<{ text: string; number: number } | null>(null);
  const [heard, setHeard] = useState('');
  // `lazy` keeps a failure for good; another attempt needs another one.
  const [Reading, setReading] = useState(() => lazy(loadReading));
  const read = () => {
    if (text.trim() !== '') setAsked({ text, number: (asked?.number ?? 0) + 1 });
  };
  const close = () => {
    setAsked(null);
    setText('');
    setHeard('');
  };
  const use = (next: readonly DraftCondition[], first: number) => {
    flushSync(() => {
      onUse(next);
      close();
    });
    frame.current?.querySelector<HTMLElement>(`[data-condition="${first}"] select`)?.focus();
  };
  return (
    <div className="say-in-words stack">
      <label htmlFor={id}>Say it in words</label>
      <div className="say-in-words-line">
        <input
          id={id}
          ref={box}
          className="input"
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
      <p className="visually-hidden" role="status">
        {heard}
      </p>
      {asked && (
        <RetryBoundary
          key={asked.number}
          sentence="What reads words could not be fetched. Check the connection."
          onRetry={() => setReading(() => lazy(loadReading))}
        >
          <Suspense fallback={<p className="muted">Reading…</p>}>
            <Reading
              text={asked.text}
              conditions={conditions}
              kind={kind}
              stocks={stocks}
              onUse={use}
              onRead={setHeard}
              onClose={() => {
                close();
                box.current?.focus();
              }}
            />
          </Suspense>
        </RetryBoundary>
      )}
    </div>
  );
}
