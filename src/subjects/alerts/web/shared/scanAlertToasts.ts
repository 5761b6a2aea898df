import { MESSAGES } from '#texts/messages.ts';
import { messageOf } from '#web/api/client.ts';
import { showSnackbar } from '#ui/Snackbar.tsx';
import { pickValues, SCAN_OPTIONS } from '../../answers/options.ts';
import type { ScanAlertView } from '../../rules/scanAlerts/scanAlert.ts';
import { scanAlertTitle } from '../../rules/scanAlerts/scanAlertText.ts';
import { deleteScanAlert, saveScanAlert, switchScanAlert } from './alertRequests.ts';
import { scanAlertsChanged } from './alertStream.ts';
import { showScanAlert } from './showAlert.ts';

const calledOf = (alert: ScanAlertView): string =>
  [alert.name, scanAlertTitle(alert)].filter(Boolean).join(', ');

/** Runs an undo and shows its result. */
async function undo(work: () => Promise<unknown>, done: string, failed: string): Promise<void> {
  try {
    await work();
    showSnackbar(done);
  } catch (problem) {
    showSnackbar(messageOf(problem, failed));
  }
  scanAlertsChanged();
}

async function addAgain(alert: ScanAlertView): Promise<void> {
  const { scan, destinations } = alert;
  const added = await saveScanAlert({ ...pickValues(SCAN_OPTIONS, alert), scan, destinations }, null);
  if (!alert.active) await switchScanAlert(added.id, { active: false });
}

export function confirmAdded(alert: ScanAlertView): void {
  const { id } = alert;
  const remove = () => void undo(() => deleteScanAlert(id), 'Alert removed', MESSAGES.watchlist.deleteAlert);
  showSnackbar(
    `Alert added: ${calledOf(alert)}`,
    { label: 'Undo', run: remove },
    { label: 'Show alert', run: () => showScanAlert(id) },
  );
}

/** Deletes an alert. Undo adds it again, without its history. @throws ApiError */
export async function deleteWithUndo(alert: ScanAlertView): Promise<void> {
  await deleteScanAlert(alert.id);
  const again = () =>
    void undo(() => addAgain(alert), 'Alert added again, without its history', MESSAGES.watchlist.saveAlert);
  showSnackbar(`Alert deleted: ${calledOf(alert)}`, { label: 'Undo', run: again });
}
