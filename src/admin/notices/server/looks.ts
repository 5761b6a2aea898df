import type { App } from '#platform/app.ts';
import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { relayFinding } from '#admin/relays/rules/relayState.ts';
import { carrierSeen, type ServiceSeen, type ServicesSeen } from '../rules/serviceConcerns.ts';
import type { SourcesSeen } from '../rules/sourceConcerns.ts';

/** The state of the sources. */
export function sourcesOf({ announcements, calendar, clock, source }: App): SourcesSeen {
  const { healthy, problem, signInProblem = null } = source.health();
  const missing = source.missing?.() ?? [];
  const news = announcements.info();
  const events = calendar.info();
  return {
    prices: { label: source.label(), healthy, problem, signInProblem, missing },
    announcements: news && { ...news, missing: announcements.missing() },
    calendar: events && { ...events, missing: calendar.missing() },
    marketTime: source.clock.now(),
    now: clock.now(),
  };
}

/** The state of the services that are set up. */
export function servicesOf(app: App): ServicesSeen {
  const { config, devices, model, outbox, relayState } = app;
  const seen = (platform: MessagePlatform, found: ServiceSeen) =>
    carrierSeen(platform, found, outbox.trouble(platform));
  const push = devices.finding();
  return {
    ...(config.telegram.token !== null && { telegram: seen('telegram', app.telegramBot.finding()) }),
    ...(config.discord.token !== null && { discord: seen('discord', app.discordBot.finding()) }),
    ...(push !== undefined && { push: seen('push', push) }),
    ...(model && { model: model.finding() }),
    ...(relayState && { relays: relayFinding(relayState()) }),
  };
}
