import { and, eq, isNotNull } from 'drizzle-orm';
import { union } from 'drizzle-orm/sqlite-core';
import { alerts } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { scanAlerts } from '#src/tables/scanAlertSchema.ts';
import { AppError } from '#platform/http/errors.ts';
import { MAX_GROUPS } from '../rules/manner.ts';

/** The groups of a user's alerts, on stocks and on scans. */
export function groupsOf(db: Db, userId: number): string[] {
  const onStocks = db
    .select({ group: alerts.group })
    .from(alerts)
    .where(and(eq(alerts.userId, userId), isNotNull(alerts.group)));
  const onScans = db
    .select({ group: scanAlerts.group })
    .from(scanAlerts)
    .where(and(eq(scanAlerts.userId, userId), isNotNull(scanAlerts.group)));
  return union(onStocks, onScans)
    .all()
    .flatMap(({ group }) => group ?? []);
}

/** @param known the user's groups, asked for only where one is chosen @throws AppError 400 where there would be too many */
export function refuseTooManyGroups(group: string | null, known: () => readonly string[]): void {
  if (group === null) return;
  const groups = known();
  if (groups.includes(group) || groups.length < MAX_GROUPS) return;
  const message = `You already have ${MAX_GROUPS} groups of alerts. Choose one of them.`;
  throw new AppError(400, { field: 'group', message });
}
