import { type ReactNode, useState } from 'react';
import { namedFew } from '../../../rules/manyAlerts.ts';
import { MESSAGES } from '../../../../../texts/messages.ts';
import { messageOf } from '../../../../../../web/api/client.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { postUndo } from '../api.ts';
import { useSecondsLeft } from '../parts/Arming.tsx';
import '../parts/Arming.css';
import type { SavedAlert } from '../readAlerts.ts';
import { type AlertRow, calledOf } from './alertRows.ts';

const armsOf = ({ of }: AlertRow): number | null => (of.kind === 'alert' ? (of.alert.armsAt ?? null) : null);

/** Why nothing was taken back of an alert; null when it was. */
async function undo(alert: SavedAlert): Promise<string | null> {
  try {
    return (await postUndo(alert)).refusal;
  } catch (problem) {
    return messageOf(problem, MESSAGES.watchlist.saveAlert);
  }
}

type ArmingManyProps = { rows: readonly AlertRow[]; load(): Promise<void> };

/** That alerts were already true as they were switched on, with the time in which that can be taken back. */
export function ArmingMany({ rows, load }: ArmingManyProps): ReactNode {
  const [refusal, setRefusal] = useState<string | null>(null);
  const arming = rows.filter((row) => armsOf(row) !== null);
  const last = Math.max(...arming.map((row) => armsOf(row) ?? 0));
  const seconds = useSecondsLeft(arming.length === 0 ? null : last);
  const undoAll = async () => {
    const refusals = await Promise.all(
      arming.map(async (row) => {
        const reason = row.of.kind === 'alert' ? await undo(row.of.alert) : null;
        return reason && `${calledOf(row)}: ${reason}`;
      }),
    );
    setRefusal(refusals.filter((reason) => reason !== null).join(' ') || null);
    await load();
  };
  return (
    <>
      {refusal !== null && <Banner onDismiss={() => setRefusal(null)}>{refusal}</Banner>}
      {seconds > 0 && (
        <div className="alert-arming">
          <p>
            <span className="visually-hidden" role="status">
              {namedFew(arming.map(calledOf))}: already true, to fire in five seconds unless you undo.
            </span>
            <span aria-hidden="true">
              {namedFew(arming.map(calledOf))}: already true, to fire in {seconds} s
            </span>
          </p>
          <Button onClick={() => void undoAll()}>Undo</Button>
        </div>
      )}
    </>
  );
}
