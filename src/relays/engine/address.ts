const PROTOCOLS = ['redis:', 'rediss:'];

const USUAL_PORT = 6379;

/** Where the message engine is: for its client, and for people, without user and password. */
export type EngineAddress = { url: string; shown: string; host: string; port: number; isSecure: boolean };

/**
 * @param text redis://[user:password@]host[:port][/database], or rediss://… with TLS
 * @returns null for what is no such address
 */
export function readEngineAddress(text: string): EngineAddress | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!PROTOCOLS.includes(url.protocol) || url.hostname === '') return null;
  if (!/^(?:\/\d{0,4})?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return null;
  return {
    url: text,
    shown: `${url.protocol}//${url.host}${url.pathname}`,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || USUAL_PORT),
    isSecure: url.protocol === 'rediss:',
  };
}
