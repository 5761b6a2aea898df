/** Bytes as a person reads them: "1,500 MB". */
export const formatMegabytes = (bytes: number): string =>
  `${Math.floor(bytes / (1024 * 1024)).toLocaleString('en-AU')} MB`;
