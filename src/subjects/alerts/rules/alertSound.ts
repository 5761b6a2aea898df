/** What windows play as an alert fires, by name; `none` for nothing. All are made of tones as they are played. */
export const ALERT_SOUNDS = ['bell', 'chime', 'knock', 'rise', 'siren', 'none'] as const;
export type AlertSound = (typeof ALERT_SOUNDS)[number];

export const SOUND_NAMES: Readonly<Record<AlertSound, string>> = {
  bell: 'Bell',
  chime: 'Chime',
  knock: 'Knock',
  rise: 'Rise',
  siren: 'Siren',
  none: 'None',
};
