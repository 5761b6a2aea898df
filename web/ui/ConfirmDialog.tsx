import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { DialogSheet } from './DialogSheet.tsx';

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  children: ReactNode;
  /** The button that does it, by what it does. */
  action: string;
  /** danger, when left out: something is lost by it. primary: nothing is, however much changes. */
  variant?: 'danger' | 'primary';
  /** Buttons after it, such as one that saves first. */
  others?: ReactNode;
  isBusy?: boolean;
  cancel?: string;
  onConfirm(): void;
  onCancel(): void;
};

/** Asks before something is lost, or before everybody notices it. Escape, the cross and Cancel change nothing. Import it lazily. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { isBusy = false, cancel = 'Cancel', variant = 'danger' } = props;
  return (
    <DialogSheet
      open={props.open}
      title={props.title}
      width={props.others ? 'normal' : 'narrow'}
      onClose={props.onCancel}
      footer={
        <>
          <Button onClick={props.onCancel}>{cancel}</Button>
          <Button variant={variant} disabled={isBusy} onClick={props.onConfirm}>
            {props.action}
          </Button>
          {props.others}
        </>
      }
    >
      {props.children}
    </DialogSheet>
  );
}
