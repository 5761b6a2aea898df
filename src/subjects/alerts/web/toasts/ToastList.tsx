import { WATCHLIST_PATH } from '#web/router/routes.ts';
import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { ToastLine, clearList, listedTriggers, showList } from './toastLines.tsx';

const close = (): void => showList(false);

export function ToastList(): ReactNode {
  const triggers = listedTriggers.value;
  return (
    <DialogSheet
      open
      title="Alerts that fired"
      place="side"
      onClose={close}
      // The element that opened the list was removed with the toasts.
      returnsFocus={() => document.getElementById('main') ?? true}
      footer={
        <>
          <a className="button" href={`#${WATCHLIST_PATH}/triggers`} onClick={close}>
            All triggers
          </a>
          <Button disabled={triggers.length === 0} onClick={clearList}>
            Clear list
          </Button>
        </>
      }
    >
      {triggers.length === 0 ? (
        <EmptyState>
          <span>The list is empty. Alerts are added to it as they fire.</span>
        </EmptyState>
      ) : (
        <ul className="toast-list table-text">
          {triggers.map((trigger) => (
            <ToastLine key={trigger.key} trigger={trigger} onFollow={close} />
          ))}
        </ul>
      )}
    </DialogSheet>
  );
}
