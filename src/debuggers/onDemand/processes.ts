/** A process that runs Node, as /proc has it. */
export interface NodeProcess {
  readonly pid: number;
  readonly parent: number;
  /** Clock ticks since the start of the machine: with the number it tells processes apart. */
  readonly started: string;
  /** The command line, or the title that the program has given itself. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Its NODE_OPTIONS. */
  readonly options: string;
  /** Its HOSTNAME, which the kubelet sets in each container. */
  readonly host: string | undefined;
  /** It sees other files than the container does: that of a neighbour in the pod. */
  readonly elsewhere: boolean;
  /** Whether it catches SIGUSR1. */
  readonly caught: boolean;
  /** TCP ports on which it listens, as far as that can be seen. */
  readonly listens: readonly number[];
}

/** What runs in a container. */
export interface Look {
  readonly host: string | undefined;
  /** TCP ports of the pod on which somebody listens. */
  readonly taken: readonly number[];
  readonly processes: readonly NodeProcess[];
  /** The first of the other processes, for people. */
  readonly others: readonly string[];
}
