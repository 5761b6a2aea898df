/**
 * A version's part of a changelog: the lines below its heading, up to the next one.
 * @param version the heading begins with it, in brackets or not; without one, the first heading counts
 */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((text) => text.replace(/^\[|^v/, '').startsWith(version)) ?? sections[0] ?? '';
  return own.slice(own.indexOf('\n') + 1).trim();
}
