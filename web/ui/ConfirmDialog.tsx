import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { DialogSheet } from './DialogSheet.tsx';

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  children: ReactNode;
  action: string;
  /** danger (default) if something is lost, otherwise primary. */
  variant?: 'danger' | 'primary';
  others?: ReactNode;
  isBusy?: boolean;
  cancel?: string;
  onConfirm(): void;
  onCancel(): void;
};

/** Asks for confirmation. Escape, the cross and Cancel change nothing. Import it lazily. */
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
