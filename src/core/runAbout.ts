/** How we came to a running Skaffold: we started it, found it among this user's processes, or were given its port. */
export type Origin = 'launched' | 'found' | 'given';

/** A running Skaffold, before and beside what it says itself. */
export type RunAbout = Readonly<{
  /** Of its gRPC service, on 127.0.0.1. */
  port: number;
  origin: Origin;
  /** For people: of its launch configuration, or of its folder. */
  name: string;
  /** In which it runs. */
  folder?: string;
  pid?: number;
}>;
