/**
 * The bundler's list of what each chunk needs, in the entry: by it what a chunk imports is fetched along with it. Keys by
 * which `import()` asks, and for each its address and the places of those it needs.
 */
const NEEDS = /\(import\.meta\.url,(\["\w{8}"[^\]]*\]),(\[\["\/assets\/.*?\]\]),0\)/s;

/** Whether a text holds the list. */
export const listsNeeds = (text: string): boolean => NEEDS.test(text);

type Needs = [address: string, ...needs: number[]];

/**
 * The list with a group of chunks as one. Chunks that no `import()` names get a shorter key.
 *
 * @param text of a chunk; without the list it is given back as it is
 * @param texts of all chunks, in which the keys are looked for
 * @param isMember whether the chunk at an address is of the group
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
    // The entry is the first; the bundler's code asks for it by its key.
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
    // Of the others it only counts that no two are equal.
    const newKeys = entries.map((_entry, own) => {
      const place = order[own];
      return place !== undefined && isAsked(place) ? keys[place] : own.toString(36);
    });
    return `(import.meta.url,${JSON.stringify(newKeys)},${JSON.stringify(entries)},0)`;
  });
}
