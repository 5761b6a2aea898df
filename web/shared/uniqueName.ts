/** A name that nothing else has. `crypto.randomUUID` is missing on a page that is not served by HTTPS. */
export const uniqueName = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
