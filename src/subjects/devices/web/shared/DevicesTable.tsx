import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { formatAge, formatMoment } from '../../../../texts/moment.ts';
import { Button } from '../../../../../web/ui/Button.tsx';
import { focusNeighbour } from '../../../../../web/ui/focusNeighbour.ts';
import { Pill } from '../../../../../web/ui/Pill.tsx';
import { StackedTable } from '../../../../../web/ui/StackedTable.tsx';
import { MAX_DEVICE_NAME } from '../../rules/device.ts';
import { removeDevice, renameDevice, testDevice } from './deviceChanges.ts';
import { type Device, ownDevices } from './devices.ts';
import type { Said } from './DevicesPanel.tsx';
import { thisDeviceId } from './thisBrowser.ts';

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
      {failure !== null && <p className="device-note">{failure}</p>}
      <p className="device-note" role="status">
        {test}
      </p>
    </>
  );
}

type RenameProps = { device: Device; onDone(failure: string | null): void };

/** Another name for a device, in the place of the old one. */
function Rename({ device, onDone }: RenameProps): ReactNode {
  const [name, setName] = useState(device.name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isSame = name.trim() === device.name || name.trim() === '';
    onDone(isSame ? null : await renameDevice(device, name));
  };
  return (
    <form className="device-rename" onSubmit={(event) => void submit(event)}>
      <input
        className="input"
        aria-label="Name of the device"
        value={name}
        maxLength={MAX_DEVICE_NAME}
        autoFocus
        onChange={(event) => setName(event.target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onDone(null)}
      />
      <Button type="submit">Save</Button>
    </form>
  );
}

type RowProps = { device: Device; say(said: Said | null): void; onRemove(device: Device): Promise<void> };

function DeviceRow({ device, say, onRemove }: RowProps): ReactNode {
  const [isRenaming, setRenaming] = useState(false);
  const { id, name, delivered_at: deliveredAt } = device;
  const renamed = (failure: string | null) => {
    setRenaming(false);
    if (failure !== null) say({ isGood: false, message: failure });
  };
  return (
    <tr>
      <th scope="row">
        {isRenaming ? (
          <Rename device={device} onDone={renamed} />
        ) : (
          <span className="device-name">{name}</span>
        )}
        {id === thisDeviceId() && <span className="device-here muted">This browser</span>}
      </th>
      <td data-heading="Last delivered" title={deliveredAt === null ? undefined : formatMoment(deliveredAt)}>
        {deliveredAt === null ? (
          <span className="muted">never</span>
        ) : (
          formatAge(Date.now() - Date.parse(deliveredAt))
        )}
      </td>
      <td data-heading="State">
        <DeviceState device={device} />
      </td>
      <td className="device-actions">
        <DeviceActions {...{ device, say, onRemove, isRenaming }} onRename={() => setRenaming(true)} />
      </td>
    </tr>
  );
}

type ActionsProps = RowProps & { isRenaming: boolean; onRename(): void };

function DeviceActions({ device, say, onRemove, isRenaming, onRename }: ActionsProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const { name } = device;
  const run = async (work: () => Promise<string | null | void>) => {
    setBusy(true);
    const failure = await work();
    if (failure) say({ isGood: false, message: failure });
    setBusy(false);
  };
  return (
    <>
      {device.status !== 'gone' && (
        <Button
          aria-label={`Test ${name}`}
          disabled={isBusy}
          onClick={() => void run(() => testDevice(device))}
        >
          Test
        </Button>
      )}
      <Button aria-label={`Rename ${name}`} disabled={isRenaming} onClick={onRename}>
        Rename
      </Button>
      <Button
        aria-label={`Remove ${name}`}
        disabled={isBusy}
        onClick={() => void run(() => onRemove(device))}
      >
        Remove
      </Button>
    </>
  );
}

type DevicesTableProps = {
  devices: readonly Device[];
  panel: RefObject<HTMLElement | null>;
  say(said: Said | null): void;
};

/** The user's devices, a line each. The focus of one that is removed goes to its neighbour. */
export function DevicesTable({ devices, panel, say }: DevicesTableProps): ReactNode {
  const body = useRef<HTMLTableSectionElement>(null);
  const remove = async (device: Device) => {
    const index = (ownDevices.peek()?.devices ?? []).findIndex(({ id }) => id === device.id);
    const failure = await removeDevice(device);
    const message =
      failure ??
      `“${device.name}” was removed and gets no more notifications. Allow them there to add it again.`;
    say({ isGood: failure === null, message });
    if (failure !== null) return;
    // After the row has gone from the page.
    setTimeout(() => {
      const buttons = body.current?.querySelectorAll<HTMLElement>('.device-actions button:last-child') ?? [];
      focusNeighbour(buttons, index, panel.current?.querySelector('button'));
    }, 0);
  };
  return (
    <StackedTable className="devices" label="Devices">
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
          <DeviceRow key={device.id} device={device} say={say} onRemove={remove} />
        ))}
      </tbody>
    </StackedTable>
  );
}
