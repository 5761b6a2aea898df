/** The beginning of what somebody sent, as it may be shown in a sentence; '' for anything but a text or a number. */
export const quoted = (sent: unknown): string =>
  typeof sent === 'string' || typeof sent === 'number' ? String(sent).slice(0, 40) : '';
