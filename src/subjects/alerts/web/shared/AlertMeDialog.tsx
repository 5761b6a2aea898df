import { type ComponentProps, type ReactNode, useState } from 'react';
import type { PriceCrossing } from '#subjects/alerts/rules/crossingAt.ts';
import { UNTIL_OPEN } from '#subjects/alerts/rules/alertState.ts';
import { previewOf, previewText } from '#subjects/alerts/rules/preview.ts';
import type { Condition, Logic, Operator } from '#subjects/conditions/rules/condition.ts';
import { OPERATOR_LABELS } from '#subjects/conditions/rules/draft.ts';
import { MESSAGES } from '#texts/messages.ts';
import type { Stock } from '#market/rules/stock.ts';
import { readCount, readRecord } from '#lib/read.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { FormError } from '#ui/Banner.tsx';
import { NativeSelect } from '#ui/Field.tsx';
import { request } from '#web/api/client.ts';
import { QuantityField } from '#subjects/conditions/web/shared/QuantityField.tsx';
import { fetchLinkedChats, platformsOf } from '#subjects/chats/web/shared/linkedChats.ts';
import { devicesOrNone, newDeviceChoice } from '#subjects/devices/web/shared/devices.ts';
import { ignoresStatus, marketNow } from '#web/live/market.ts';
import { showAlert } from './showAlert.ts';
import { useWork } from './alertRequests.ts';

type Made = { id: number; isPending: boolean };

async function setAlert(symbol: string, logic_json: Logic): Promise<Made> {
  const [chats, devices] = await Promise.all([fetchLinkedChats(), devicesOrNone()]);
  const destinations = { ...platformsOf(chats), devices: newDeviceChoice(devices) };
  const made = readRecord(
    await request('POST /api/alerts', {
      body: { symbol, name: null, persistent: false, logic_json, destinations },
    }),
  );
  return { id: readCount(made.id) ?? 0, isPending: readCount(made.arms_in_ms) !== null };
}

/** Before the open, the current price is the match price. */
const priceField = (row: Stock): 'last' | 'match_price' =>
  row.last === null && row.match_price !== null ? 'match_price' : 'last';

const PRICES = [
  { id: 'match_price', label: `Match price, ${UNTIL_OPEN}`, field: 'Match price' },
  { id: 'last', label: 'Last price, from the open', field: 'Last price' },
  { id: 'both', label: 'Both, before and after the open', field: 'Price' },
] as const;
type PriceChoice = (typeof PRICES)[number]['id'];

type AlertMeDialogProps = {
  row: Stock;
  crossing?: PriceCrossing;
  onClose(): void;
} & Pick<ComponentProps<typeof DialogSheet>, 'returnsFocus'>;

type Comparison = { key: PriceChoice; op: Operator; value: number };

const startOf = (row: Stock, crossing: PriceCrossing | undefined): Comparison => {
  const key = priceField(row);
  return { key, op: crossing?.op ?? '>', value: crossing?.price ?? row[key] ?? row.close ?? Number.NaN };
};

function logicOf({ key, op, value }: Comparison): Logic {
  const on = (field: 'last' | 'match_price'): Condition => ({
    lhs: { type: 'field', key: field },
    op,
    rhs: { type: 'number', value },
  });
  return {
    op: 'AND',
    conditions: [key === 'both' ? { op: 'OR', conditions: [on('match_price'), on('last')] } : on(key)],
  };
}

function setText({ isPending }: Made, { key }: Comparison): string {
  if (isPending) return 'Alert set. It is already true and fires in five seconds unless you undo.';
  return key === 'match_price' ? `Alert set ${UNTIL_OPEN}. It fires once.` : 'Alert set. It fires once.';
}

export function AlertMeDialog({ row, crossing, onClose, ...focus }: AlertMeDialogProps): ReactNode {
  const { code } = row;
  const [comparison, setComparison] = useState(() => startOf(row, crossing));
  const [made, setMade] = useState<Made | null>(null);
  const { isBusy, error, work } = useWork(MESSAGES.watchlist.saveAlert);
  const set = () => work(async () => setMade(await setAlert(code, logicOf(comparison))));
  const undo = (id: number) =>
    work(() => request('POST /api/alerts/:id/undo', { params: { id }, body: {} }).then(onClose));
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
        <Foot
          made={made}
          isBusy={isBusy}
          isWhole={Number.isFinite(comparison.value)}
          onMore={more}
          onSet={() => void set()}
          onUndo={(id) => void undo(id)}
          onClose={onClose}
        />
      }
    >
      {made === null ? (
        <ComparisonForm row={row} comparison={comparison} onChange={setComparison} />
      ) : (
        <p role="status">{setText(made, comparison)}</p>
      )}
      <FormError>{error}</FormError>
    </DialogSheet>
  );
}

type ComparisonFormProps = { row: Stock; comparison: Comparison; onChange(next: Comparison): void };

function ComparisonForm({ row, comparison, onChange }: ComparisonFormProps): ReactNode {
  const { key, op, value } = comparison;
  const isWhole = Number.isFinite(value);
  const preview = isWhole ? previewOf(logicOf(comparison), row, marketNow(), ignoresStatus) : null;
  return (
    <div className="stack">
      {priceField(row) === 'match_price' && (
        <NativeSelect
          label="Price"
          value={key}
          options={PRICES}
          onChoose={(next) => onChange({ ...comparison, key: next })}
        />
      )}
      <QuantityField
        label={PRICES.find(({ id }) => id === key)?.field ?? ''}
        value={value}
        isWrong={!isWhole}
        onNumber={(next) => onChange({ ...comparison, value: next })}
      />
      <NativeSelect
        label="Fires when it is"
        value={op}
        options={OPERATOR_LABELS}
        onChoose={(next) => onChange({ ...comparison, op: next })}
      />
      <p>{previewText({ preview, backtest: null, isLive: false, isOn: true })}</p>
    </div>
  );
}

type FootProps = {
  made: Made | null;
  isBusy: boolean;
  isWhole: boolean;
  onMore(): void;
  onSet(): void;
  onUndo(id: number): void;
  onClose(): void;
};

/** Both states have the buttons in the same places, so that the pressed one keeps the focus. */
const Foot = ({ made, isBusy, isWhole, onMore, onSet, onUndo, onClose }: FootProps): ReactNode => (
  <>
    <Button onClick={onMore}>{made === null ? 'More conditions…' : 'Open the alert'}</Button>
    {made?.isPending && (
      <Button disabled={isBusy} onClick={() => onUndo(made.id)}>
        Undo
      </Button>
    )}
    {made === null ? (
      <Button variant="primary" disabled={isBusy || !isWhole} onClick={onSet}>
        Set alert
      </Button>
    ) : (
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    )}
  </>
);
