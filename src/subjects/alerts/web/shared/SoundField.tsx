import type { ReactNode } from 'react';
import { ALERT_SOUNDS, type AlertSound, SOUND_NAMES } from '#subjects/alerts/rules/alert.ts';
import { Button } from '#ui/Button.tsx';
import { NativeSelect } from '#ui/NativeSelect.tsx';
import { playAlertSound } from './toastSound.ts';

const OPTIONS: readonly { id: AlertSound | 'usual'; label: string }[] = [
  { id: 'usual', label: 'As in Settings' },
  ...ALERT_SOUNDS.map((id) => ({ id, label: SOUND_NAMES[id] })),
];

type SoundFieldProps = { sound: AlertSound | null; onChange(sound: AlertSound | null): void };

/** What windows play as an alert fires, and a press that plays it. */
export function SoundField({ sound, onChange }: SoundFieldProps): ReactNode {
  return (
    <div className="cluster align-end">
      <NativeSelect
        label="Sound"
        value={sound ?? 'usual'}
        options={OPTIONS}
        onChoose={(chosen) => onChange(chosen === 'usual' ? null : chosen)}
      />
      <Button disabled={sound === 'none'} onClick={() => void playAlertSound(sound)}>
        Play
      </Button>
    </div>
  );
}
