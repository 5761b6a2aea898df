import { type RefObject, useId, useRef, useState } from 'react';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { useWholeMarket } from '#web/live/useWatch.tsx';
import { CallButtons, CallFields, useCallForm } from '../shared/callForm.tsx';

type SubmitCallDialogProps = {
  /** Prefilled symbol; null or omitted for an empty form. */
  symbol?: string | null;
  /** Gets the focus after closing if the previously focused element is gone. */
  opener?: RefObject<HTMLElement | null>;
  onClose(): void;
  onSubmitted(): void;
};

/** Stays open until the server accepts the call. Watches the whole market, because any symbol may be typed. */
export function SubmitCallDialog(props: SubmitCallDialogProps) {
  return useWholeMarket() && <CallDialog {...props} />;
}

function CallDialog({ symbol = null, opener, onClose, onSubmitted }: SubmitCallDialogProps) {
  // If a shortcut opened the dialog from another screen, the element that had the focus is gone.
  const [cameFrom] = useState(() => document.activeElement);
  const symbolBox = useRef<HTMLInputElement>(null);
  const id = useId();
  const form = useCallForm(symbol);
  return (
    <DialogSheet
      open
      title="Submit Call"
      initialFocus={symbolBox}
      returnsFocus={() => (cameFrom === document.body && opener?.current) || true}
      onClose={() => {
        if (!form.isSubmitting) onClose();
      }}
      footer={<CallButtons form={form} formId={id} onCancel={onClose} />}
    >
      <CallFields
        form={form}
        id={id}
        symbolBox={symbolBox}
        onSubmitted={() => {
          onSubmitted();
          onClose();
        }}
      />
    </DialogSheet>
  );
}
