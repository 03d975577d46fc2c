/** A process of this user, as far as the system tells it. */
export type Process = Readonly<{
  pid: number;
  words: readonly string[];
  env?: Readonly<Record<string, string>>;
  folder?: string;
}>;

/** Where processes are looked up, one for each platform. */
export interface ProcessTable {
  /** Those of this user that can be a Skaffold. */
  read(): Promise<readonly Process[]>;
  /** The ports on which one of them listens; undefined where the system does not tell it cheaply. */
  portsOf?(pid: number): Promise<readonly number[]>;
}
