/** A breakpoint that the program does not know. */
export type Unbound = Readonly<{
  /** Absolute, on this machine. */
  file: string;
  line: number;
  /** The debugger's own words, if it has any. */
  said?: string;
  /** Where its file is looked for in the container, if that is mapped. */
  expected?: string;
  /** A file with the same end of the path that the program has loaded. */
  loaded?: string;
}>;

/** The breakpoints of a session in files that its container has. */
export type Breakpoints = Readonly<{ bound: number; unbound: readonly Unbound[] }>;
