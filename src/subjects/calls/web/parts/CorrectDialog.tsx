import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { formatMark, MARK_LABELS } from '#subjects/calls/rules/resultText.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { FormError } from '#ui/Banner.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { SwitchField, TextField } from '#ui/Field.tsx';
import { type BoardCall, correctCall, type SentMarks, correct, reloadAll } from '../state.ts';
import type { Mark, MarkValue } from '#subjects/calls/rules/types.ts';
import { MESSAGES } from '#texts/messages.ts';
import { isRecord } from '#lib/json.ts';
import type { Refusal } from '#lib/result.ts';
import { refusalOf } from '#web/api/client.ts';

type PriceMark = Exclude<Mark, 'isFollowed'>;

const TRADES: readonly PriceMark[] = ['entryTrade', 'exitTrade', 'targetReached', 'stopReached'];

/** The marks that this call can have, with their recorded values. */
function recordedOf(call: BoardCall): [PriceMark, MarkValue][] {
  const exit: [PriceMark, MarkValue][] = [
    ['exitTrade', call.exitTrade],
    ['priceAtClose', call.priceAtClose],
  ];
  return [
    ['entryTrade', call.entryTrade],
    ...(call.closedAt === null ? [] : exit),
    ['targetReached', call.targetReached],
    ['stopReached', call.stopReached],
    ['highestSinceFill', call.highestSinceFill ?? null],
    ['best', call.best ?? null],
    ['worst', call.worst ?? null],
  ];
}

const priceOf = (value: MarkValue): number | null =>
  isRecord(value) ? value.price : typeof value === 'number' ? value : null;

/** Prices as edited; unedited ones are missing. */
type TypedPrices = Partial<Record<PriceMark, number | null>>;

function changedMarks(recorded: readonly [PriceMark, MarkValue][], typed: TypedPrices): SentMarks {
  const sent: SentMarks = {};
  for (const [mark, value] of recorded) {
    const price = typed[mark];
    if (price === undefined || price === priceOf(value)) continue;
    sent[mark] = price === null ? null : TRADES.includes(mark) ? { price } : price;
  }
  return sent;
}

function useSending(call: BoardCall) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (reason: string, marks: SentMarks): Promise<void> => {
    setRefusal(null);
    setSending(true);
    try {
      await correctCall(call.publicId, reason, marks);
      await reloadAll();
      correct(null);
    } catch (cause) {
      setRefusal(refusalOf(cause, MESSAGES.calls.correct));
    } finally {
      setSending(false);
    }
  };
  return { send, isSending, refusal, dismiss: () => setRefusal(null) };
}

const PRICE_LIMITS = { step: 0.001, min: 0 };

type PriceFieldsProps = {
  recorded: readonly [PriceMark, MarkValue][];
  typed: TypedPrices;
  wrong: string | null | undefined;
  first: RefObject<HTMLInputElement | null>;
  onPrice(mark: PriceMark, price: number | null): void;
};

function PriceFields({ recorded, typed, wrong, first, onPrice }: PriceFieldsProps) {
  return (
    <div className="form-row">
      {recorded.map(([mark, value], index) => (
        <NumberField
          key={mark}
          ref={index === 0 ? first : undefined}
          label={MARK_LABELS[mark]}
          name={mark}
          value={typed[mark] === undefined ? priceOf(value) : typed[mark]}
          limits={PRICE_LIMITS}
          help={`Recorded: ${formatMark(value)}`}
          isWrong={wrong === mark}
          onNumber={(price) => onPrice(mark, price)}
        />
      ))}
    </div>
  );
}

type CorrectFormProps = {
  call: BoardCall;
  id: string;
  first: RefObject<HTMLInputElement | null>;
  sending: ReturnType<typeof useSending>;
};

function CorrectForm({ call, id, first, sending }: CorrectFormProps) {
  const { refusal } = sending;
  const recorded = recordedOf(call);
  const wasFollowed = call.trackingPaused === null;
  const [typed, setTyped] = useState<TypedPrices>({});
  const [isFollowed, setFollowed] = useState(wasFollowed);
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Text that is not a number must not delete a mark. The field shows a message.
    if (sending.isSending || Object.values(typed).some(Number.isNaN)) return;
    const marks = changedMarks(recorded, typed);
    void sending.send(reason, isFollowed === wasFollowed ? marks : { isFollowed, ...marks });
  };
  const setPrice = (mark: PriceMark, price: number | null) => {
    setTyped((before) => ({ ...before, [mark]: price }));
    sending.dismiss();
  };
  return (
    <form id={id} className="stack" noValidate onSubmit={submit}>
      <p className="field-help">
        Leave a field empty to remove that entry. The original value stays visible next to the correction.{' '}
        <ZoneNote />
      </p>
      <PriceFields
        recorded={recorded}
        typed={typed}
        first={first}
        wrong={refusal?.field}
        onPrice={setPrice}
      />
      <SwitchField label={MARK_LABELS.isFollowed} value={isFollowed} onChange={setFollowed} />
      <TextField
        label="Reason"
        name="reason"
        maxLength={300}
        value={reason}
        error={refusal?.field === 'reason' ? refusal.message : null}
        onChange={(event) => {
          setReason(event.target.value);
          sending.dismiss();
        }}
      />
      <FormError>{refusal?.field === 'reason' ? null : refusal?.message}</FormError>
    </form>
  );
}

export function CorrectDialog({ call }: { call: BoardCall }) {
  const formId = useId();
  const first = useRef<HTMLInputElement>(null);
  const sending = useSending(call);
  const { isSending } = sending;
  return (
    <DialogSheet
      open
      initialFocus={first}
      title={`Correct ${call.symbol} by ${call.submittedBy.display}`}
      onClose={() => {
        if (!isSending) correct(null);
      }}
      footer={
        <>
          <Button disabled={isSending} onClick={() => correct(null)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} disabled={isSending}>
            {isSending ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <CorrectForm call={call} id={formId} first={first} sending={sending} />
    </DialogSheet>
  );
}
