import type { createBackups } from '../admin/backups/server/index.ts';
import type { BackupFailure } from '../admin/backups/server/service.ts';
import { createNotices } from '../admin/notices/server/index.ts';
import type { SourcesSeen } from '../admin/notices/rules/sourceConcerns.ts';
import type { createUpdates } from '../admin/updates/server/index.ts';
import type { Core } from '../part.ts';
import type { CalendarPart, MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import type { RequestParts } from './people.ts';
import { relayStateOf, type Runtime } from './runtime.ts';

type Made = RequestParts &
  Messaging &
  MarketParts &
  CalendarPart & {
    backups: ReturnType<typeof createBackups>;
    updates: ReturnType<typeof createUpdates>;
  };

/** The sources as they stand. */
function sourcesOf({ source, clock }: Core, { announcements, calendar }: Made): SourcesSeen {
  const { healthy, problem, signInProblem = null } = source.health();
  const missing = source.missing?.() ?? [];
  const news = announcements.service.info();
  const events = calendar.service.info();
  return {
    prices: { label: source.label(), healthy, problem, signInProblem, missing },
    announcements: news && { ...news, missing: announcements.service.missing() },
    calendar: events && { ...events, missing: calendar.service.missing() },
    marketTime: source.clock.now(),
    now: clock.now(),
  };
}

/** Whether a version waits; what was tried here and taken back waits for nobody. */
export const isWaiting = ({ isNew, takenBack }: { isNew: boolean; takenBack: unknown }): boolean =>
  isNew && takenBack === null;

/** Of a backup that a person asked for they hear at once, where they asked. */
const nightlyFailure = (failure: BackupFailure | null): string | null =>
  failure?.isNightly ? failure.reason : null;

/** What administrators are told of the host; it looks into the parts that know. */
export function createNoticesPart(core: Core, runtime: Runtime, made: Made) {
  const { access, audit, backups, outbox, platforms, updates } = made;
  const relayState = relayStateOf(runtime);
  const { canLook, lastOffer } = updates.service;
  return createNotices(core, {
    ...{ auth: access.auth, audit: audit.service, outbox: outbox.service, chatsOf: platforms.placesOf },
    sources: () => sourcesOf(core, made),
    backups: () => ({
      newest: backups.service.newest()?.madeAt ?? null,
      failure: nightlyFailure(backups.service.failure()),
      everyDays: core.config.backup.everyDays,
    }),
    freeBytes: () => backups.room()?.free ?? null,
    engine: () => relayState?.().engine ?? null,
    lookForUpdate: canLook() ? () => updates.service.look() : null,
    offered() {
      const offer = lastOffer();
      return offer && { isNew: isWaiting(offer), version: offer.version };
    },
  });
}
