declare module '*.service' {
  const text: string;
  export default text;
}

declare module '*.example' {
  const text: string;
  export default text;
}
