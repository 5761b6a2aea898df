/** 192 random bits as 32 characters that are safe in an address. */
export const randomToken = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url');
