import { minuteText } from '#lib/text.ts';
import { type ReactNode, useState } from 'react';
import { TextField } from './Field.tsx';

/** @returns null if the time is incomplete */
function minuteOf(text: string): number | null {
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hour === undefined || minute === undefined ? null : Number(hour) * 60 + Number(minute);
}

type TimeFieldProps = {
  label: string;
  /** Minutes since midnight. */
  minute: number;
  disabled?: boolean;
  onChange(minute: number): void;
};

/** A time field. It applies on blur or Enter, and ignores an incomplete time. */
export function TimeField({ label, minute, disabled = false, onChange }: TimeFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const take = () => {
    const next = typed === null ? null : minuteOf(typed);
    setTyped(null);
    if (next !== null && next !== minute) onChange(next);
  };
  return (
    <TextField
      label={label}
      type="time"
      value={typed ?? minuteText(minute)}
      disabled={disabled}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  );
}
