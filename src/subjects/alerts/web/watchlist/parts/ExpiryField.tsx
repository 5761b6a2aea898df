import { type ReactNode, useState } from 'react';
import { formatTime } from '../../../../../texts/format.ts';
import { fromSydney, sydneyDate } from '../../../../../market/rules/sydneyTime.ts';
import { TextField } from '../../../../../../web/ui/TextField.tsx';

type ExpiryFieldProps = {
  /** ISO 8601; null for never. */
  expiresAt: string | null;
  isWrong: boolean;
  onChange(expiresAt: string | null): void;
};

/** As the box holds it: '2026-11-27T16:10', in the market's time. */
function textOf(expiresAt: string | null): string {
  if (expiresAt === null) return '';
  const at = Date.parse(expiresAt);
  return `${sydneyDate(at)}T${formatTime(at)}`;
}

/** @returns ISO 8601; null for an empty or unfinished text */
function momentOf(text: string): string | null {
  const [date = '', time = ''] = text.split('T');
  const [hour, minute] = time.split(':').map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || hour === undefined || minute === undefined) return null;
  return new Date(fromSydney(date, hour, minute)).toISOString();
}

/** When an alert is off by itself. A part of a date is no time yet: it is taken when the box is left, or by Enter. */
export function ExpiryField({ expiresAt, isWrong, onChange }: ExpiryFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null);
  const take = () => {
    if (typed === null) return;
    setTyped(null);
    onChange(momentOf(typed));
  };
  return (
    <TextField
      label="Expires (Sydney time; empty for never)"
      type="datetime-local"
      value={typed ?? textOf(expiresAt)}
      aria-invalid={isWrong || undefined}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  );
}
