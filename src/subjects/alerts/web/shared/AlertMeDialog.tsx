import { type ComponentProps, type ReactNode, useState } from 'react';
import type { PriceCrossing } from '../../rules/crossingAt.ts';
import { outlookOf, outlookText } from '../../rules/outlook.ts';
import type { Logic, Operator } from '../../../conditions/rules/condition.ts';
import { OPERATOR_LABELS } from '../../../conditions/rules/draft.ts';
import { MESSAGES } from '../../../../texts/messages.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import { readCount, readRecord } from '../../../../lib/read.ts';
import { Button } from '../../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../../web/ui/DialogSheet.tsx';
import { FormError } from '../../../../../web/ui/FormError.tsx';
import { NativeSelect } from '../../../../../web/ui/NativeSelect.tsx';
import { api, messageOf, unwrap } from '../../../../../web/api/client.ts';
import { QuantityField } from '../../../conditions/web/shared/QuantityField.tsx';
import { fetchLinkedChats, platformsOf } from '../../../chats/web/shared/linkedChats.ts';
import { marketNow } from '../../../../../web/live/market.ts';
import './AlertMeDialog.css';
import { showAlert } from './showAlert.ts';

/** What was set, and how it can be taken back while it waits to be armed. */
type Made = { id: number; isArming: boolean };

/** Sets an alert that goes to every chat of its owner. @throws ApiError with the server's sentence */
async function setAlert(symbol: string, logic_json: Logic): Promise<Made> {
  const destinations = platformsOf(await fetchLinkedChats());
  const made = readRecord(
    await unwrap(api.alerts.post({ symbol, name: null, persistent: false, logic_json, destinations })),
  );
  return { id: readCount(made.id) ?? 0, isArming: readCount(made.arms_in_ms) !== null };
}

/** The stock's field that has its price now: before the open that is the match price. */
const priceField = (row: Stock): 'last' | 'match_price' =>
  row.last === null && row.match_price !== null ? 'match_price' : 'last';

type AlertMeDialogProps = {
  row: Stock;
  /** What is filled in; the price as it is now where it is left out. */
  crossing?: PriceCrossing;
  onClose(): void;
} & Pick<ComponentProps<typeof DialogSheet>, 'returnsFocus'>;

/** Sets an alert on a stock's price over whatever is shown, with a price filled in. */
export function AlertMeDialog({ row, crossing, onClose, ...focus }: AlertMeDialogProps): ReactNode {
  const { code } = row;
  const [key] = useState(priceField(row));
  const [op, setOp] = useState<Operator>(crossing?.op ?? '>');
  const [value, setValue] = useState(crossing?.price ?? row[key] ?? row.close ?? Number.NaN);
  const [made, setMade] = useState<Made | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isWhole = Number.isFinite(value);
  const logic: Logic = {
    op: 'AND',
    conditions: [{ lhs: { type: 'field', key }, op, rhs: { type: 'number', value } }],
  };
  const outlook = isWhole ? outlookOf(logic, row, marketNow()) : null;
  const work = async (run: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await run();
    } catch (problem) {
      setError(messageOf(problem, MESSAGES.watchlist.saveAlert));
    }
    setBusy(false);
  };
  const set = () => work(async () => setMade(await setAlert(code, logic)));
  const undo = (id: number) =>
    work(async () => {
      await unwrap(api.alerts({ id }).undo.post({}));
      onClose();
    });
  const more = () => {
    onClose();
    showAlert(code, made?.id ?? null);
  };
  return (
    <DialogSheet
      open
      title={`Alert me on ${code}`}
      width="narrow"
      onClose={onClose}
      {...focus}
      footer={
        <>
          <Button onClick={more}>{made === null ? 'More conditions…' : 'Open the alert'}</Button>
          {made?.isArming && (
            <Button disabled={isBusy} onClick={() => void undo(made.id)}>
              Undo
            </Button>
          )}
          {made === null ? (
            <Button variant="primary" disabled={isBusy || !isWhole} onClick={() => void set()}>
              Set alert
            </Button>
          ) : (
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          )}
        </>
      }
    >
      {made === null ? (
        <div className="alert-me-form">
          <QuantityField
            label={key === 'last' ? 'Last price' : 'Match price'}
            value={value}
            isWrong={!isWhole}
            onNumber={setValue}
          />
          <NativeSelect label="Fires when it is" value={op} options={OPERATOR_LABELS} onChoose={setOp} />
          <p>{outlookText({ outlook, rehearsal: null, isLive: false, isOn: true })}</p>
        </div>
      ) : (
        <p role="status">
          {made.isArming
            ? 'Alert set. It is already true: fires in five seconds unless you undo.'
            : 'Alert set. It fires once.'}
        </p>
      )}
      <FormError>{error}</FormError>
    </DialogSheet>
  );
}
