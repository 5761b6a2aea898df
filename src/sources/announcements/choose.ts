import type { Core } from '../../part.ts';
import type { AnnouncementSource } from './source.ts';

/**
 * Makes the source of announcements that the configuration names.
 *
 * @returns null where announcements are switched off, and where simulated ones have no simulated market to belong to
 */
export function chooseAnnouncements({
  config,
  source,
}: Pick<Core, 'config' | 'source'>): AnnouncementSource | null {
  switch (config.news.source) {
    case 'simulator':
      return source.announcements ?? null;
    case 'asx':
    case 'off':
      return null;
  }
}
