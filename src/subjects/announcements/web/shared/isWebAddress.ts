/** Only web addresses become links: an address from a source may be anything, such as a script. */
export const isWebAddress = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);
