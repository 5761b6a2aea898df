import type { App } from '#platform/app.ts';
import type { FormEdges } from '../answerForm.ts';
import { AsxAnnouncements } from './asx/index.ts';
import type { AnnouncementSource } from '#market/sources/announcements.ts';

/**
 * Makes the configured source of announcements.
 * @param edges absent if nothing is stored over a restart
 * @returns null if announcements are off, or simulated without a simulated market
 */
export function chooseAnnouncements(
  app: Pick<App, 'clock' | 'config' | 'http' | 'log' | 'source'>,
  edges: FormEdges = {},
): AnnouncementSource | null {
  const { config, source, clock: wall, log, http } = app;
  switch (config.news.source) {
    case 'simulator':
    case 'recording':
      return source.announcements ?? null;
    case 'asx':
      return new AsxAnnouncements({ ...edges, url: config.news.asxUrl, wall, log: log.child('asx'), http });
    case 'off':
      return null;
  }
}
