import type { createChannels } from '../admin/channels/server/index.ts';
import type { createBackups } from '../admin/backups/server/index.ts';
import type { BackupFailure } from '../admin/backups/server/service.ts';
import { createNotices } from '../admin/notices/server/index.ts';
import { carrierSeen, type ServiceSeen, type ServicesSeen } from '../admin/notices/rules/serviceConcerns.ts';
import type { SourcesSeen } from '../admin/notices/rules/sourceConcerns.ts';
import { relayFinding, type RelayState } from '../admin/relays/rules/relayState.ts';
import type { createUpdates } from '../admin/updates/server/index.ts';
import type { App } from '#platform/app.ts';
import type { Bot } from '../platform/chatClients/bot.ts';
import type { CalendarPart, MarketParts } from './market.ts';
import type { Messaging } from './messages.ts';
import type { MessagePlatform } from '../platform/chatClients/rules/chatPlatform.ts';
import type { ModelParts } from './model.ts';
import type { RequestParts } from './people.ts';
import { relayStateOf, type Runtime } from './runtime.ts';

type Made = RequestParts &
  Messaging &
  MarketParts &
  CalendarPart & {
    modelWatch: ModelParts['modelWatch'];
    telegramBot: Bot;
    discordBot: Bot;
    channels: ReturnType<typeof createChannels>;
    backups: ReturnType<typeof createBackups>;
    updates: ReturnType<typeof createUpdates>;
  };

/** The sources as they stand. */
function sourcesOf({ source, clock }: App, { announcements, calendar }: Made): SourcesSeen {
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

/** The services that are set up, as they stand. */
function servicesOf(
  { outbox, platforms, devices, telegramBot, discordBot, modelWatch }: Made,
  relayState: (() => RelayState) | null,
): ServicesSeen {
  const seen = (platform: MessagePlatform, found: ServiceSeen) =>
    carrierSeen(platform, found, outbox.service.trouble(platform));
  const push = devices.service.finding();
  return {
    ...(platforms.telegram && { telegram: seen('telegram', telegramBot.service.finding()) }),
    ...(platforms.discord && { discord: seen('discord', discordBot.service.finding()) }),
    ...(push !== undefined && { push: seen('push', push) }),
    ...(modelWatch.service && { model: modelWatch.service.finding() }),
    ...(relayState && { relays: relayFinding(relayState()) }),
  };
}

/** Whether a version waits; what was tried here and taken back waits for nobody. */
export const isWaiting = ({ isNew, takenBack }: { isNew: boolean; takenBack: unknown }): boolean =>
  isNew && takenBack === null;

/** Of a backup that a person asked for they hear at once, where they asked. */
const nightlyFailure = (failure: BackupFailure | null): string | null =>
  failure?.isNightly ? failure.reason : null;

/** What administrators are told of the host; it looks into the parts that know. */
export function createNoticesPart(app: App, runtime: Runtime, made: Made) {
  const { audit, backups, outbox, platforms, updates } = made;
  const relayState = relayStateOf(runtime);
  const { canLook, lastOffer } = updates.service;
  return createNotices(app, {
    audit: audit.service,
    outbox: outbox.service,
    chatsOf: platforms.placesOf,
    sources: () => sourcesOf(app, made),
    services: () => servicesOf(made, relayState),
    channels: made.channels.service.destinations,
    allPlacesOf: platforms.allPlacesOf,
    backups: () => ({
      newest: backups.service.newest()?.madeAt ?? null,
      failure: nightlyFailure(backups.service.failure()),
      warning: backups.service.warning(),
      everyDays: app.config.backup.everyDays,
    }),
    freeBytes: () => backups.room()?.free ?? null,
    engine: () => relayState?.().engine ?? null,
    clockAhead: platforms.clockAhead,
    lookForUpdate: canLook() ? () => updates.service.look() : null,
    offered() {
      const offer = lastOffer();
      return offer && { isNew: isWaiting(offer), version: offer.version };
    },
  });
}
