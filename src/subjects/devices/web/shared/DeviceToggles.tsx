import type { ReactNode } from 'react';
import { Toggle } from '#ui/Field.tsx';
import type { DeviceChoice } from '#subjects/devices/rules/device.ts';
import { type Device, devicesInUse, type OwnDevices, thisDeviceId } from './devices.ts';

type DeviceTogglesProps = {
  /** Null if unknown. */
  own: OwnDevices | null;
  choice: DeviceChoice;
  /** True if the message is also sent to a chat. */
  hasChat: boolean;
  onChange(choice: DeviceChoice): void;
};

/** Devices that are listed individually: this browser, and the other chosen ones. */
const offered = (devices: readonly Device[], choice: DeviceChoice): Device[] =>
  choice === 'all' ? [] : devices.filter(({ id }) => id === thisDeviceId() || choice.includes(id));

export function DeviceToggles({ own, choice, hasChat, onChange }: DeviceTogglesProps): ReactNode {
  const devices = devicesInUse(own);
  const chosen = choice === 'all' ? [] : choice;
  const isLost = own !== null && chosen.length > 0 && !devices.some(({ id }) => chosen.includes(id));
  const toggle = (id: number, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id));
  return (
    <>
      {offered(devices, choice).map(({ id, name }) => (
        <Toggle
          key={id}
          label={id === thisDeviceId() ? 'This device' : name}
          checked={chosen.includes(id)}
          onChange={(isOn) => toggle(id, isOn)}
        />
      ))}
      {(devices.length > 0 || choice === 'all') && (
        <Toggle
          label="All my devices"
          checked={choice === 'all'}
          onChange={(isOn) => onChange(isOn ? 'all' : [])}
        />
      )}
      {isLost && (
        <span className="warn-text small">
          Its device was removed{hasChat ? '.' : '. It is shown only in the browser.'}
        </span>
      )}
    </>
  );
}
