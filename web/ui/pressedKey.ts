type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>;

/**
 * The key of a press, in lower case, for shortcuts that are letters and digits. Where the layout types another script,
 * or digits only with Shift, the place on the keyboard decides; Latin layouts such as Dvorak keep their own letters.
 */
export function pressedKey({ key, code, shiftKey }: KeyPress): string {
  const [, kind, place = ''] = /^(Key|Digit)(.)$/.exec(code) ?? [];
  if (kind === 'Digit' && !shiftKey) return place;
  const isForeign = key === 'Dead' || (key.length === 1 && key > '~');
  return (kind === 'Key' && isForeign ? place : key).toLowerCase();
}
