import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { crossingText, type PriceCrossing, stepsFrom } from '#subjects/alerts/rules/crossingAt.ts';
import { previewOf, previewText } from '#subjects/alerts/rules/preview.ts';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { type Destinations, isNowhere } from '#subjects/alerts/rules/recipient.ts';
import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import { MESSAGES } from '#texts/messages.ts';
import { roundToStep } from '#market/rules/priceStep.ts';
import type { Stock } from '#market/rules/stock.ts';
import { notNumeric, parseNumeric, stepsOfKey } from '#lib/numericInput.ts';
import { readCount, readRecord } from '#lib/read.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { describedBy, Field } from '#ui/Field.tsx';
import { FormError } from '#ui/Banner.tsx';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { messageOf, request } from '#web/api/client.ts';
import { OddsLink } from '#web/shared/OddsLink.tsx';
import { fetchLinkedChats, platformsOf } from '#subjects/chats/web/shared/linkedChats.ts';
import { devicesOrNone, newDeviceChoice, type OwnDevices } from '#subjects/devices/web/shared/devices.ts';
import { ignoresStatus, marketNow } from '#web/live/market.ts';
import { showAlert } from './showAlert.ts';
import { countAlert, useWork } from './alertRequests.ts';
import { allowAlertsHere, offersPhone, phoneOfferLabel } from './phoneOffer.ts';

import '../alerts.css';

/** Before the open, the current price is the match price. */
const currentOf = ({ last, match_price, close }: Stock): number | null => last ?? match_price ?? close;

const isBeforeOpen = ({ last, match_price }: Stock): boolean => last === null && match_price !== null;

/** One percent above the current price, at least one price step: close, but not true at the next trade. */
const suggested = (current: number): number => Math.max(stepsFrom(current, 1), roundToStep(current * 1.01));

const levelAt = (price: number, stock: Stock): PriceCrossing => ({
  price,
  op: price < (currentOf(stock) ?? price) ? '<=' : '>=',
});

type PriceKey = 'last' | 'match_price';

const reaching = (key: PriceKey, { price, op }: PriceCrossing): Condition => ({
  lhs: { type: 'field', key },
  op,
  rhs: { type: 'number', value: price },
});

/** Before the open, the alert watches the match price and then the last price, so that it does not end at the open. */
function logicOf(stock: Stock, level: PriceCrossing): Logic {
  const last = reaching('last', level);
  const either = { op: 'OR' as const, conditions: [reaching('match_price', level), last] };
  return { op: 'AND', conditions: [isBeforeOpen(stock) ? either : last] };
}

type SetAlert = { id: number; destinations: Destinations; own: OwnDevices | null };

async function undo({ id }: SetAlert, code: string): Promise<void> {
  try {
    await request('DELETE /api/alerts/:id', { params: { id } });
    showSnackbar(`Alert on ${code} removed`);
  } catch (problem) {
    showSnackbar(messageOf(problem, MESSAGES.watchlist.deleteAlert));
  }
}

/** Makes this browser a device and sends the alert to it too. */
async function addDevice({ id, destinations }: SetAlert, own: OwnDevices): Promise<void> {
  const { isOn, text } = await allowAlertsHere(own);
  if (!isOn) return showSnackbar(text, { label: 'OK', run: () => undefined });
  try {
    const body = { destinations: { ...destinations, devices: 'all' as const } };
    await request('PATCH /api/alerts/:id', { params: { id }, body });
    showSnackbar(text);
  } catch (problem) {
    showSnackbar(`${text} ${messageOf(problem, MESSAGES.watchlist.saveAlert)}`);
  }
}

/** Saves a price alert and confirms it with Undo. @throws ApiError */
async function saveLevel(stock: Stock, level: PriceCrossing): Promise<void> {
  const { code } = stock;
  const [chats, own] = await Promise.all([fetchLinkedChats(), devicesOrNone()]);
  const destinations = { ...platformsOf(chats), devices: newDeviceChoice(own) };
  const body = {
    symbol: code,
    name: null,
    persistent: false,
    logic_json: logicOf(stock, level),
    destinations,
  };
  const made = readRecord(await request('POST /api/alerts', { body }));
  countAlert();
  const alert: SetAlert = { id: readCount(made.id) ?? 0, destinations, own };
  const isTrue = readCount(made.arms_in_ms) !== null;
  const set = `Alert set: ${code} ${crossingText(level)}`;
  const text = isTrue ? `${set}. It is already true and fires in five seconds.` : set;
  const undoing = { label: 'Undo', run: () => void undo(alert, code) };
  if (!isNowhere(destinations) || !offersPhone(own)) return showSnackbar(text, undoing);
  showSnackbar(text, undoing, { label: phoneOfferLabel(), run: () => void addDevice(alert, own) });
}

/** Saves an alert at a price that was picked in a chart. */
export const setAlertAt = (stock: Stock, price: number): Promise<void> =>
  saveLevel(stock, levelAt(price, stock)).catch((problem: unknown) =>
    showSnackbar(messageOf(problem, MESSAGES.watchlist.saveAlert)),
  );

type QuickAlertProps = {
  stock: Stock;
  /** The price field, if the caller focuses it; otherwise it takes the focus itself. */
  field?: RefObject<HTMLInputElement | null>;
  /** Called after the alert was saved, or the user went on to the full editor. */
  onDone(): void;
  /** Omit for a form without Cancel. */
  onCancel?(): void;
};

function usePrice(stock: Stock) {
  const [text, setText] = useState(() => {
    const current = currentOf(stock);
    return current !== null && current > 0 ? priceText(suggested(current)) : '';
  });
  const typed = parseNumeric(text);
  // The direction stays as it was when the price was typed, even if the market passes it before Enter.
  const [level, setLevel] = useState(() => (typed === null ? null : levelAt(typed, stock)));
  const type = (next: string) => {
    setText(next);
    const number = parseNumeric(next);
    setLevel(number !== null && number > 0 ? levelAt(number, stock) : null);
  };
  const step = (steps: number) => type(priceText(stepsFrom(typed ?? currentOf(stock) ?? 0, steps)));
  return { text, level, type, step };
}

function helpText(stock: Stock, level: PriceCrossing): string {
  const isBefore = isBeforeOpen(stock);
  const now: Logic = { op: 'AND', conditions: [reaching(isBefore ? 'match_price' : 'last', level)] };
  const preview = previewOf(now, stock, marketNow(), ignoresStatus);
  const foreseen = previewText({ preview, backtest: null, isLive: false, isOn: true });
  const when = `When it ${crossingText(level)}${isBefore ? ', before or after the open' : ''}`;
  return foreseen === null ? when : `${when} · ${foreseen}`;
}

/** A price alert in one field: Enter saves it. */
export function QuickAlert({ stock, field, onDone, onCancel }: QuickAlertProps): ReactNode {
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  const { text, level, type, step } = usePrice(stock);
  const { isBusy, error, work } = useWork(MESSAGES.watchlist.saveAlert);
  useEffect(() => own.current?.focus(), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (level === null) return input.current?.focus();
    if (!isBusy && (await work(() => saveLevel(stock, level)))) onDone();
  };
  const notes = {
    help: level && helpText(stock, level),
    error: level !== null ? null : text.trim() === '' ? 'Enter a price.' : notNumeric(text),
  };
  return (
    <form
      className="quick-alert stack"
      aria-label={`Price alert on ${stock.code}`}
      onSubmit={(event) => void submit(event)}
    >
      <Field id={id} label="Alert price" {...notes}>
        <input
          ref={input}
          id={id}
          className="input number-input"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          aria-invalid={level === null || undefined}
          aria-describedby={describedBy(id, notes)}
          value={text}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => type(target.value)}
          onKeyDown={(event) => {
            const steps = stepsOfKey(event.key);
            if (steps === null) return;
            event.preventDefault();
            step(steps);
          }}
        />
      </Field>
      <FormError>{error}</FormError>
      <div className="form-foot row phone-fill">
        <Button type="submit" variant="primary" aria-disabled={isBusy || undefined}>
          Set alert
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button
          variant="quiet"
          onClick={() => {
            onDone();
            showAlert(stock.code, null);
          }}
        >
          More conditions…
        </Button>
        {level && (
          <OddsLink
            scan={{
              type: 'logic',
              logic: { op: 'AND', conditions: [reaching('last', level)] },
              symbol: stock.code,
            }}
            name={`${stock.code} when it ${crossingText(level)}`}
          />
        )}
      </div>
    </form>
  );
}

type AlertMeDialogProps = { row: Stock; onClose(): void };

export function AlertMeDialog({ row, onClose }: AlertMeDialogProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  return (
    <DialogSheet open title={`Alert me on ${row.code}`} width="narrow" onClose={onClose} initialFocus={field}>
      <QuickAlert stock={row} field={field} onDone={onClose} />
    </DialogSheet>
  );
}
