/**
 * The bundler's list of each chunk's needs, in the entry, to preload them: keys of `import()`, and for each
 * the address and the indices of its needs.
 */
const NEEDS = /\(import\.meta\.url,(\["\w{8}"[^\]]*\]),(\[\["\/assets\/.*?\]\]),0\)/s;

export const listsNeeds = (text: string): boolean => NEEDS.test(text);

type Needs = [address: string, ...needs: number[]];

/**
 * Joins a group of chunks in the list. Chunks without an `import()` get a shorter key.
 * @param text of a chunk; returned as it is without the list
 * @param texts of all chunks, to search for the keys
 * @param isMember whether an address is in the group
 * @param joined the address of the group's chunk
 */
export function joinedNeeds(
  text: string,
  texts: string,
  isMember: (address: string) => boolean,
  joined: string,
): string {
  return text.replace(NEEDS, (_, keyList: string, list: string) => {
    const keys = JSON.parse(keyList) as string[];
    const old = JSON.parse(list) as Needs[];
    // The entry is the first and is requested by its key.
    const isAsked = (place: number): boolean => place === 0 || texts.split(`"${keys[place]}"`).length > 2;
    const places = old.map((_one, place) => place).filter((place) => !isMember(old[place]?.[0] ?? ''));
    const order = [...places.filter(isAsked), ...places.filter((place) => !isAsked(place))];
    const members = old.filter(([address]) => isMember(address));
    const placeOf = (place: number): number =>
      isMember(old[place]?.[0] ?? '') ? order.length : order.indexOf(place);
    const needsOf = (needs: readonly number[], own: number): number[] =>
      [...new Set(needs.map(placeOf))].filter((place) => place !== own);
    const entries = order.map((place, own): Needs => {
      const [address = '', ...needs] = old[place] ?? [];
      return [address, ...needsOf(needs, own)];
    });
    const ofMembers = members.flatMap(([, ...needs]) => needs);
    entries.push([joined, ...needsOf(ofMembers, order.length)]);
    // Other keys only need to be unique.
    const newKeys = entries.map((_entry, own) => {
      const place = order[own];
      return place !== undefined && isAsked(place) ? keys[place] : own.toString(36);
    });
    return `(import.meta.url,${JSON.stringify(newKeys)},${JSON.stringify(entries)},0)`;
  });
}
