import { lazy, type RefObject, Suspense, useState } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { removeDevice } from './deviceChanges.ts';
import { type Device, ownDevices } from './devices.ts';
import type { Said } from './DevicesPanel.tsx';

const ConfirmDialog = lazy(() =>
  withStyles(import('#ui/ConfirmDialog.tsx')).then((code) => ({
    default: code.ConfirmDialog,
  })),
);

type Removing = {
  panel: RefObject<HTMLElement | null>;
  say(said: Said | null): void;
  /** Holds the rows. */
  body: RefObject<HTMLTableSectionElement | null>;
};

/** Removes a device once its person has confirmed that. The focus goes to its neighbour. */
export function useDeviceRemoval({ panel, say, body }: Removing) {
  const [asked, setAsked] = useState<Device | null>(null);
  const [isBusy, setBusy] = useState(false);
  const remove = async (device: Device) => {
    const index = (ownDevices.peek()?.devices ?? []).findIndex(({ id }) => id === device.id);
    setBusy(true);
    const failure = await removeDevice(device);
    setBusy(false);
    setAsked(null);
    say({ isGood: failure === null, message: failure ?? `“${device.name}” was removed.` });
    if (failure !== null) return;
    // After the dialog, which gives the focus back, and the row have gone from the page.
    setTimeout(() => {
      const buttons = body.current?.querySelectorAll<HTMLElement>('.device-actions button:last-child') ?? [];
      focusNeighbour(buttons, index, panel.current?.querySelector('button'));
    }, 0);
  };
  const dialog = asked && (
    <Suspense fallback={null}>
      <ConfirmDialog
        open
        title={`Remove “${asked.name}”?`}
        action="Remove"
        isBusy={isBusy}
        onConfirm={() => void remove(asked)}
        onCancel={() => setAsked(null)}
      >
        <p>It gets no more notifications. To add it again, allow notifications there.</p>
      </ConfirmDialog>
    </Suspense>
  );
  return { ask: setAsked, dialog };
}
