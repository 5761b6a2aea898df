/** Backups. */
export const BackupControls = () => null;
