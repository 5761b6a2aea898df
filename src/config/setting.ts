import { isAddressRange, isOwnNetwork } from '../lib/addresses.ts';
import { failed, ok, type Result } from '../lib/result.ts';
import { withoutEndSlashes } from '../lib/text.ts';

type Parse<T> = (raw: string) => Result<T, string>;

/**
 * Refuses values that a shell would have cleaned: systemd keeps a comment after a value, and `docker run
 * --env-file` also keeps quotes. Otherwise they would end up in folders, passphrases and tokens.
 */
export function asMeant<T>(raw: string, parse: Parse<T>): Result<T, string> {
  const value = raw.trim();
  if (['"', "'"].some((quote) => value.length > 1 && value.startsWith(quote) && value.endsWith(quote)))
    return failed('must not be in quotes (they become part of the value)');
  if (/^#\s|\s#/.test(value))
    return failed('must not be followed by a comment (put the comment on its own line)');
  return parse(raw);
}

export const text: Parse<string> = (raw) => ok(raw.trim());

export const listenHost: Parse<string> = (raw) => {
  const host = raw.trim();
  return ok(host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host);
};

export const flag: Parse<boolean> = (raw) => {
  const word = raw.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return ok(true);
  if (['0', 'false', 'no', 'off'].includes(word)) return ok(false);
  return failed('must be 1 (on) or 0 (off)');
};

export const whole =
  (min: number, max: number): Parse<number> =>
  (raw) => {
    const value = /^-?\d{1,20}$/.test(raw.trim()) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? ok(value) : failed(`must be a whole number from ${min} to ${max}`);
  };

export const decimal =
  (min: number, max: number): Parse<number> =>
  (raw) => {
    const value = /^-?\d{0,20}\.?\d{1,20}$/.test(raw.trim()) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? ok(value) : failed(`must be a number from ${min} to ${max}`);
  };

export const oneOf =
  <const T extends string>(...words: readonly T[]): Parse<T> =>
  (raw) => {
    const word = raw.trim().toLowerCase();
    const found = words.find((candidate) => candidate === word);
    return found === undefined ? failed(`must be one of ${words.join(', ')}`) : ok(found);
  };

/** An absolute http or https address, without its trailing slash, so that paths can be appended. */
export const address: Parse<string> = (raw) => {
  const url = URL.parse(raw.trim());
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    return failed('must be a full address that starts with http:// or https://');
  }
  return ok(withoutEndSlashes(raw.trim()));
};

/** A public address has no path, because pages and manifest load their files from the root. */
export const publicAddress: Parse<string> = (raw) => {
  const parsed = address(raw);
  const url = parsed.ok ? URL.parse(parsed.value) : null;
  if (url === null || (url.pathname === '/' && url.search === '' && url.hash === '')) return parsed;
  return failed(
    `must be an address without a path, such as ${url.protocol}//bellbird.example.com (Bellbird works only at the root of a host name)`,
  );
};

export const engineAddress: Parse<string> = (raw) => {
  const url = URL.parse(raw.trim());
  return url && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== ''
    ? ok(raw.trim())
    : failed('must be a full address that starts with redis:// or rediss://');
};

/** A folder, or an absolute http or https address without its trailing slash. */
export const folderOrAddress: Parse<string> = (raw) => {
  if (!/^[a-z][a-z\d+.-]{0,20}:\/\//i.test(raw.trim())) return text(raw);
  const parsed = address(raw);
  return parsed.ok
    ? parsed
    : failed('must be a folder or a full address that starts with http:// or https://');
};

export const startTime: Parse<string> = (raw) => {
  const word = raw.trim().toLowerCase();
  if (word === 'auto' || /^([01]\d|2[0-3]):[0-5]\d$/.test(word)) return ok(word);
  return failed('must be auto or a time of day such as 09:45');
};

export const addressRanges: Parse<readonly string[]> = (raw) => {
  const list = raw.split(/[\s,]/).filter((entry) => entry !== '');
  if (list.length === 1 && list[0]?.toLowerCase() === 'none') return ok([]);
  return list.length > 0 && list.every(isAddressRange)
    ? ok(list)
    : failed('must be none, or addresses and networks such as 10.0.0.5, 172.16.0.0/12, separated by commas');
};

const isLocal = ({ hostname }: URL): boolean => hostname === '127.0.0.1' || hostname === 'localhost';

/** Origins, separated by commas or blanks; http only on this machine. */
export const origins: Parse<readonly string[]> = (raw) => {
  const urls = raw
    .split(/[\s,]/)
    .filter((entry) => entry !== '')
    .map((entry) => URL.parse(entry));
  const list = urls.flatMap((url) =>
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)))
      ? [url.origin]
      : [],
  );
  return list.length === urls.length
    ? ok(list)
    : failed('must be full addresses that start with https://, separated by commas');
};

/** http is only allowed in the operator's own network, because it shows the password. */
function webDavFolder(raw: string): ReturnType<Parse<string>> {
  const url = URL.parse(raw);
  if (url === null) return failed('must be a full address');
  if (url.username !== '' || url.password !== '')
    return failed(
      'must not contain a user or password: set BELLBIRD_BACKUP_USER and BELLBIRD_BACKUP_PASSWORD',
    );
  if (url.search !== '' || url.hash !== '') return failed('must be the address of a folder, without ? and #');
  if (url.protocol === 'http:' && !isOwnNetwork(url.hostname))
    return failed(
      'must start with https:// (http:// does not encrypt the password and is allowed only in your own network)',
    );
  return ok(withoutEndSlashes(url.href));
}

/** A folder, `s3://bucket/folder`, or the address of a WebDAV folder. */
export const backupPlace: Parse<string> = (raw) => {
  const place = raw.trim();
  if (/^https?:\/\//i.test(place)) return webDavFolder(place);
  if (!/^[a-z][a-z\d+.-]{0,20}:\/\//i.test(place)) return ok(place);
  if (/^s3:\/\/[\w.-]{1,100}(?:\/[\w./ -]{0,300})?$/i.test(place)) return ok(withoutEndSlashes(place));
  return failed('must be a folder, s3://bucket/folder or the https:// address of a WebDAV folder');
};

export const recipient: Parse<string> = (raw) =>
  /^age1[a-z\d]{20,3000}$/.test(raw.trim())
    ? ok(raw.trim())
    : failed('must be a public age key, which starts with age1');

export type Setting<T> = {
  parse: Parse<T>;
  fallback: T;
  meaning: string;
  shown?: string;
  secret?: true;
  also?: string;
};

export const withDefault = <T>(
  parse: Parse<T>,
  fallback: T,
  meaning: string,
  shown?: string,
): Setting<T> => ({
  parse,
  fallback,
  meaning,
  ...(shown === undefined ? {} : { shown }),
});
export const optional = <T>(parse: Parse<T>, meaning: string, shown = 'none'): Setting<T | null> => ({
  parse,
  fallback: null,
  meaning,
  shown,
});
export const secret = (
  meaning: string,
  shown = 'none',
  parse: Parse<string> = text,
): Setting<string | null> => ({
  ...optional(parse, meaning, shown),
  secret: true,
});
