import { type FormEvent, useId, useRef } from 'react';
import { formatMark, MARK_LABELS } from '../../rules/markText.ts';
import { Button } from '../../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../../web/ui/DialogSheet.tsx';
import { FormError } from '../../../../../web/ui/FormError.tsx';
import { NumberField } from '../../../../../web/ui/NumberField.tsx';
import { SwitchField } from '../../../../../web/ui/SwitchField.tsx';
import { TextField } from '../../../../../web/ui/TextField.tsx';
import type { BoardCall } from '../api.ts';
import { correct } from '../state.ts';
import './CorrectDialog.css';
import { useCorrection } from './useCorrection.ts';

const PRICE_LIMITS = { step: 0.001, min: 0 };

/** Puts recorded marks of one call right. An emptied box strikes its mark out. */
export function CorrectDialog({ call }: { call: BoardCall }) {
  const formId = useId();
  const first = useRef<HTMLInputElement>(null);
  const form = useCorrection(call, () => correct(null));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.isSending) void form.send();
  };
  return (
    <DialogSheet
      open
      initialFocus={first}
      title={`Correct ${call.symbol} by ${call.submittedBy.display}`}
      onClose={() => {
        if (!form.isSending) correct(null);
      }}
      footer={
        <>
          <Button disabled={form.isSending} onClick={() => correct(null)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} disabled={form.isSending}>
            {form.isSending ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} className="correct-form" noValidate onSubmit={submit}>
        <p className="field-help">
          Empty a box to strike out its mark. What was recorded stays beside the correction for everyone to
          see.
        </p>
        <div className="correct-marks">
          {form.prices.map(({ mark, recorded, price }, index) => (
            <NumberField
              key={mark}
              ref={index === 0 ? first : undefined}
              label={MARK_LABELS[mark]}
              name={mark}
              value={price}
              limits={PRICE_LIMITS}
              help={`Recorded: ${formatMark(recorded)}`}
              isWrong={form.refusal?.field === mark}
              onNumber={(value) => form.setPrice(mark, value)}
            />
          ))}
        </div>
        <SwitchField
          label={MARK_LABELS.isFollowed}
          value={form.isFollowed}
          onChange={(value) => form.setFollowed(value)}
        />
        <TextField
          label="Reason"
          name="reason"
          maxLength={300}
          value={form.reason}
          error={form.refusal?.field === 'reason' ? form.refusal.message : null}
          onChange={(event) => form.setReason(event.target.value)}
        />
        <FormError>{form.refusal?.field === 'reason' ? null : form.refusal?.message}</FormError>
      </form>
    </DialogSheet>
  );
}
