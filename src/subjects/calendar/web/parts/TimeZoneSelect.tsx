import { type ReactNode, type RefObject, useState } from 'react';
import { isTimeZone } from '#market/calendar/rules/days.ts';
import { Combobox } from '#ui/Combobox.tsx';
import { localZone, searchZones, zoneOfLabel, zoneOffset } from '../timeZones.ts';
import { zoneLabel } from '#web/shared/zoneNames.ts';

/** Width for the longest name with its offset, px. */
const LIST_WIDTH = 330;

type TimeZoneSelectProps = {
  zone: string;
  onChoose(zone: string): void;
  /** Time for which offsets are shown, epoch ms. */
  now: number;
  inputRef: RefObject<HTMLInputElement | null>;
};

/** A time zone field that searches by part of a name or an offset. Invalid text reverts on blur. */
export function TimeZoneSelect({ zone, onChoose, now, inputRef }: TimeZoneSelectProps): ReactNode {
  // The text being typed. While it is null, the field shows the zone and its list starts with the local one.
  const [text, setText] = useState<string | null>(null);
  const options = searchZones(text ?? '', localZone(), now).map(zoneLabel);
  const pick = (label: string) => {
    setText(null);
    const chosen = zoneOfLabel(label);
    if (isTimeZone(chosen)) onChoose(chosen);
  };
  return (
    <Combobox
      label="Time zone"
      value={text ?? zoneLabel(zone)}
      options={options}
      opensByClick
      listWidth={LIST_WIDTH}
      describe={(label) => describe(zoneOfLabel(label), now)}
      onText={setText}
      onPick={pick}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onBlur={() => setText(null)}
      onEnter={() => {
        const [first] = options;
        if (text !== null && text.trim() !== '' && first !== undefined) pick(first);
      }}
      inputRef={inputRef}
    />
  );
}

const describe = (zone: string, now: number): string =>
  zone === localZone() ? `${zoneOffset(zone, now)}, yours` : zoneOffset(zone, now);
