import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { QuickAlert } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { CallButtons, CallFields, useCallForm } from '#subjects/calls/web/shared/callForm.tsx';
import { closeForm, focusRow } from '#web/windows/stockPane.ts';
import type { StockChartProps } from '../shared/chart/StockChart.tsx';

/** The lines of a call in the chart, and what to do when one is dragged. */
export type CallLines = Required<Pick<StockChartProps, 'levels' | 'onLevel'>>;

const LINES = [
  { id: 'entry', label: 'Entry' },
  { id: 'target', label: 'Target' },
  { id: 'stop', label: 'Stop' },
] as const;

function close(): void {
  closeForm();
  focusRow();
}

/** Escape closes a form of the pane before the pane itself. */
const closesByEscape = (run: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  event.preventDefault();
  event.stopPropagation();
  run();
};

/** The form of an alert on the stock in the pane. */
export const AlertPart = ({ stock }: { stock: Stock }): ReactNode => (
  <section
    className="box pad-2-3"
    aria-label={`Add an alert on ${stock.code}`}
    onKeyDown={closesByEscape(close)}
  >
    <QuickAlert stock={stock} onDone={close} onCancel={close} />
  </section>
);

type CallPartProps = {
  code: string;
  /** Called with the lines of the form, and with null when the form closes. */
  onLines(lines: CallLines | null): void;
};

/** The form of a call on the stock in the pane. */
export function CallPart({ code, onLines }: CallPartProps): ReactNode {
  const id = useId();
  const place = useRef<HTMLElement>(null);
  const form = useCallForm(code);
  const { entry, target, stop } = form.levels;
  const { setLevel } = form;
  const newest = useRef(setLevel);
  newest.current = setLevel;
  const lines = useMemo((): CallLines => {
    const prices = { entry, target, stop };
    return {
      levels: LINES.flatMap(({ id: kind, label }) => {
        const price = prices[kind];
        return price === null ? [] : [{ id: kind, label, price, tone: kind }];
      }),
      onLevel: (moved, price) => {
        const line = LINES.find((one) => one.id === moved);
        if (line) newest.current(line.id, price);
      },
    };
  }, [entry, target, stop]);
  useEffect(() => onLines(lines), [onLines, lines]);
  useEffect(() => () => onLines(null), [onLines]);
  useEffect(() => {
    const box = place.current?.querySelector<HTMLInputElement>('[name="targetPrice"]');
    box?.focus();
    // Selected, so that typing replaces the proposed price.
    box?.select();
  }, []);
  return (
    <section
      ref={place}
      className="stack box pad-2-3"
      aria-label={`Add a call on ${code}`}
      onKeyDown={closesByEscape(() => !form.isSubmitting && close())}
    >
      <h3>Add a call</h3>
      <CallFields form={form} id={id} isSymbolFixed onSubmitted={close} />
      <div className="form-foot row justify-end">
        <CallButtons form={form} formId={id} onCancel={close} />
      </div>
    </section>
  );
}
