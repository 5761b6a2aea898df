import { serverNow } from '#web/live/market.ts';
import { type FormEvent, type ReactNode, type RefObject, useRef, useState, lazy, Suspense } from 'react';
import { flushSync } from 'react-dom';
import { formatAge, formatMoment } from '#texts/moment.ts';
import { Button } from '#ui/Button.tsx';
import { Pill } from '#ui/Pill.tsx';
import { StackedTable } from '#ui/StackedTable.tsx';
import { MAX_DEVICE_NAME } from '#subjects/devices/rules/device.ts';
import { renameDevice, testDevice, removeDevice } from './deviceChanges.ts';
import { type Device, ownDevices } from './devices.ts';
import type { Said } from './DevicesPanel.tsx';
import { thisDeviceId } from './thisBrowser.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { focusNeighbour } from '#ui/focusNeighbour.ts';

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
function useDeviceRemoval({ panel, say, body }: Removing) {
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

/** What became of a test, in a few words; null where none was sent, and where the state says the same. */
function testText({ test, failure }: Pick<Device, 'test' | 'failure'>): string | null {
  switch (test?.status) {
    case undefined:
      return null;
    case 'waiting':
    case 'sending':
      return 'Test on its way…';
    case 'sent':
      return 'Test taken by the push service. If you see none, check the system’s settings for this browser.';
    case 'failed':
      return test?.reason === failure ? null : `Test failed: ${test?.reason ?? 'it was not delivered.'}`;
  }
}

/** The state of a device as a spreadsheet is given it. */
function stateText({ status, failure }: Device): string {
  const state =
    status === 'gone'
      ? 'Ended'
      : status === 'refused'
        ? 'Not delivered'
        : failure === null
          ? 'On'
          : 'Last one failed';
  return failure === null ? state : `${state}: ${failure}`;
}

function DeviceState({ device }: { device: Device }): ReactNode {
  const { status, failure } = device;
  const test = testText(device);
  const isSound = status === 'registered';
  return (
    <>
      {status === 'gone' && <Pill variant="down">Ended</Pill>}
      {status === 'refused' && <Pill variant="down">Not delivered</Pill>}
      {isSound && (
        <Pill variant={failure === null ? 'up' : 'warn'}>{failure === null ? 'On' : 'Last one failed'}</Pill>
      )}
      {failure !== null && <p className="cell-note">{failure}</p>}
      <p className="cell-note" role="status">
        {test}
      </p>
    </>
  );
}

type RenameProps = { device: Device; say(said: Said | null): void; onDone(): void };

/** Another name for a device, in the place of the old one; what was typed stays where the server refuses it. */
function Rename({ device, say, onDone }: RenameProps): ReactNode {
  const [name, setName] = useState(device.name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isSame = name.trim() === device.name || name.trim() === '';
    const failure = isSame ? null : await renameDevice(device, name);
    say(failure === null ? null : { isGood: false, message: failure });
    if (failure === null) onDone();
  };
  return (
    <form className="cluster" onSubmit={(event) => void submit(event)}>
      <input
        className="input grow min-w-0"
        aria-label="Name of the device"
        value={name}
        maxLength={MAX_DEVICE_NAME}
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onDone()}
      />
      <Button type="submit">Save</Button>
    </form>
  );
}

type RowProps = { device: Device; say(said: Said | null): void; onRemove(device: Device): void };

function DeliveredCell({ at }: { at: string | null }): ReactNode {
  return (
    <td
      data-heading="Last delivered"
      data-time={at ?? undefined}
      title={at === null ? undefined : formatMoment(at)}
    >
      {at === null ? <span className="muted">never</span> : formatAge(serverNow() - Date.parse(at))}
    </td>
  );
}

function DeviceRow({ device, say, onRemove }: RowProps): ReactNode {
  const [isRenaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const { id, name, delivered_at: deliveredAt } = device;
  const renamed = () => {
    flushSync(() => setRenaming(false));
    renameButton.current?.focus();
  };
  return (
    <tr>
      <th scope="row" data-taken={name}>
        {isRenaming ? (
          <Rename device={device} say={say} onDone={renamed} />
        ) : (
          <span className="break-words">{name}</span>
        )}
        {id === thisDeviceId() && <p className="cell-note">This browser</p>}
      </th>
      <DeliveredCell at={deliveredAt} />
      <td data-heading="State" data-taken={stateText(device)}>
        <DeviceState device={device} />
      </td>
      <td className="device-actions row-actions">
        <DeviceActions
          device={device}
          say={say}
          onRemove={onRemove}
          isRenaming={isRenaming}
          renameButton={renameButton}
          onRename={() => setRenaming(!isRenaming)}
        />
      </td>
    </tr>
  );
}

type ActionsProps = RowProps & {
  isRenaming: boolean;
  renameButton: RefObject<HTMLButtonElement | null>;
  /** Begins it, or leaves the name as it is. */
  onRename(): void;
};

function DeviceActions({ device, say, onRemove, ...renaming }: ActionsProps): ReactNode {
  const { isRenaming, renameButton, onRename } = renaming;
  const [isBusy, setBusy] = useState(false);
  const { name } = device;
  const test = async () => {
    setBusy(true);
    const failure = await testDevice(device);
    if (failure) say({ isGood: false, message: failure });
    setBusy(false);
  };
  return (
    <>
      {device.status !== 'gone' && (
        <Button
          aria-label={`Test ${name}`}
          aria-disabled={isBusy || undefined}
          onClick={() => void (isBusy || test())}
        >
          Test
        </Button>
      )}
      <Button
        ref={renameButton}
        aria-label={isRenaming ? `Cancel renaming ${name}` : `Rename ${name}`}
        onClick={onRename}
      >
        {isRenaming ? 'Cancel' : 'Rename'}
      </Button>
      <Button aria-label={`Remove ${name}`} onClick={() => onRemove(device)}>
        Remove
      </Button>
    </>
  );
}

type DevicesTableProps = {
  devices: readonly Device[];
  table: RefObject<HTMLTableElement | null>;
  panel: RefObject<HTMLElement | null>;
  say(said: Said | null): void;
};

/** The user's devices, a line each. */
export function DevicesTable({ devices, table, panel, say }: DevicesTableProps): ReactNode {
  const body = useRef<HTMLTableSectionElement>(null);
  const removal = useDeviceRemoval({ panel, say, body });
  return (
    <>
      <StackedTable ref={table} className="devices" label="Devices">
        <thead>
          <tr>
            <th scope="col">Device</th>
            <th scope="col">Last delivered</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} say={say} onRemove={removal.ask} />
          ))}
        </tbody>
      </StackedTable>
      {removal.dialog}
    </>
  );
}
