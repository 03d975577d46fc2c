import type { Connection } from '../lib/connection.ts';
import type { Disposable } from '../lib/disposable.ts';
import type { Event } from '../lib/emitter.ts';
import type { UserError } from './errors.ts';
import type { FollowId } from './identity.ts';
import type { Container, Detection, DirectPort } from './model.ts';

/** A pod by all that identifies it. */
export interface PodRef {
  readonly cluster: string;
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
}

/** A container of a pod. */
export interface ContainerRef extends PodRef {
  readonly container: string;
}

/** How a program ended, and what it wrote. */
export interface ExecResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs programs in containers. */
export interface Exec {
  /**
   * Runs a program to its end; what it writes is bounded. Throws `UserError`: no right, no such program (`exec-no-program`),
   * not running, lost, more than `limitMs`; or the reason of `signal`.
   */
  run(
    at: ContainerRef,
    command: readonly string[],
    options: { signal: AbortSignal; limitMs: number },
  ): Promise<ExecResult>;
}

/** A local port on 127.0.0.1 that leads to one port of one pod, and of its successors. */
export interface Forward extends Disposable {
  readonly localPort: number;
  /** Why connections failed, in the pod's or the API server's own words. */
  readonly onProblem: Event<Error>;
  /**
   * A connection of its own to the pod's port. What the pod says about it later (nothing listens, reset) destroys it
   * with an error that has the raw text.
   */
  dial(signal: AbortSignal): Promise<Connection>;
  /**
   * Gives an open connection to the next local client in place of a new one. `greet` may first exchange bytes with
   * that client (a handshake that the probe has already had with the pod). Closed after `keepMs` without a client.
   */
  handOver(connection: Connection, options: { greet?(client: Connection): Promise<void>; keepMs: number }): void;
  /** Leads new connections to another pod; `undefined` when there is none: connections are then refused. */
  retarget(pod: PodRef | undefined): void;
}

/** A program in a container in place of a port: each connection runs one, on its standard input and output. */
export type InsideProgram = Readonly<{ container: string; command: readonly string[] }>;

/** What is forwarded. */
export interface ForwardTarget {
  readonly pod: PodRef;
  /** The container's; 0 where `inside` is what answers. */
  readonly port: number;
  readonly follow: FollowId;
  /** A wish that goes before the port of the last time. */
  readonly localPort?: number;
  /** Where the port is published on this machine, of a container that no cluster has. */
  readonly direct?: DirectPort;
  readonly inside?: InsideProgram;
}

/** Opens forwards; remembers the local port of what it follows. */
export interface Forwards {
  /** Throws `UserError` (no rights, pod gone, API server unreachable). */
  open(target: ForwardTarget, signal: AbortSignal): Promise<Forward>;
}

/** What a readiness probe found out in passing. */
export interface Ready {
  /** `file:` URL or path of the main script inside the container, if the debug protocol tells it. */
  readonly script?: string;
  /** For people: `node[1] /app/server.js`. */
  readonly target?: string;
}

/** How a listener is waited for. */
export interface ReadyOptions {
  /** The program waits for a debugger. */
  readonly suspended?: boolean;
  /** The debug server is known to take one client after the other. */
  readonly takesMany?: boolean;
  readonly signal: AbortSignal;
  /** Told why it is not there yet, whenever that changes: a failure if it stays so. */
  onWait?(why: UserError): void;
}

/** A local directory and one in the container that hold the same files. */
export type PathPair = Readonly<{ local: string; remote: string }>;

/** Local and container directory that hold the same files, and how that is known (for people). */
export interface PathMap {
  readonly local?: string;
  readonly remote?: string;
  /** More such pairs, where parts of the program come from elsewhere. */
  readonly more?: readonly PathPair[];
  /** Go: the module in the local directory, and the import path of its main package where only one can be meant. */
  readonly module?: Readonly<{
    path: string;
    main?: string;
    /** Directories of other modules that it is built with (go.work), by their paths. */
    others?: Readonly<Record<string, string>>;
  }>;
  /** Go: what the program knows in place of the local directory, where that is certain: a directory, or a module's path. */
  readonly builtIn?: string;
  /** Java: directories of sources, those of the program itself first; `local` is one of them. */
  readonly sourceRoots?: readonly string[];
  /** Java: the project by its name in the build, where it is certain. */
  readonly project?: string;
  readonly sources: readonly string[];
}

export type Fields = Readonly<Record<string, unknown>>;

/** Where a forward listens on this machine. */
export type LocalAddress = Readonly<{ host: string; port: number }>;

/** How one runtime is attached. Rows of a frozen table; pure but for `ready`. */
export interface Recipe {
  readonly runtime: string;
  /** Debug type, as in launch.json. */
  readonly type: string;
  /** Name of the debugger for people. */
  readonly label: string;
  /** Extensions that bring the type, all of them needed; empty when VS Code ships it. */
  readonly extensions: readonly string[];
  /** Port names of protocols this debugger speaks, best first. */
  readonly ports: readonly string[];
  /** Waits until the listener answers in its own protocol; throws `UserError`. Leaves no trace in the debuggee. */
  ready(forward: Forward, options: ReadyOptions): Promise<Ready>;
  /**
   * Frees a program that its debugger would leave stopped, or with breakpoints, when it goes. Called after the end of a
   * session while the container lives; throws when the listener cannot be asked.
   */
  release?(forward: Forward, signal: AbortSignal): Promise<void>;
  /** Its debugger is a program in the container, not a port of it. */
  readonly isInside?: true;
  /** Fields without which the debugger cannot start, and which only the user can give. */
  readonly required?: readonly string[];
  /** Fields of the debug type; type, request and name come from the caller. Throws `UserError` when one is not known. */
  attach(at: LocalAddress, paths: PathMap, detection: Detection): Fields;
}

/**
 * Finds the recipe of a container; throws `UserError` that says why there is none. `wishes` are fields of a launch
 * configuration, `type` among them: they go before all others.
 */
export interface Recipes {
  recipeFor(container: Container, wishes?: Fields): Recipe;
}

/** Local files as the front end sees them. Paths are absolute, in the platform's own spelling. */
export interface WorkspaceFiles {
  /** The folders that are open. */
  readonly folders: readonly string[];
  exists(path: string): Promise<boolean>;
  /** What is in a directory; nothing when it cannot be read. */
  list(dir: string): Promise<readonly { readonly name: string; readonly isDirectory: boolean }[]>;
  /** Text of a small file; `undefined` when it cannot be read. */
  read(path: string): Promise<string | undefined>;
}

/** What an image is built from, as skaffold.yaml or a running Skaffold tells it. Paths are absolute. */
export type ArtifactSource = Readonly<{
  /** As skaffold.yaml writes it. */
  image: string;
  context: string;
  /** `docker`, `jib`, `ko`, … */
  builder: string;
  dockerfile?: string;
  /** The stage of the Dockerfile; the last one without it. */
  target?: string;
  /** Of the Dockerfile; those with a template are left out. */
  buildArgs?: Readonly<Record<string, string>>;
  /** The part of the context that becomes the program: a module of Maven or Gradle, the main package of ko. */
  folder?: string;
  /** Who tells it, for people: `/shop/skaffold.yaml`. */
  from: string;
  /** The user has chosen the folder. */
  isChosen?: boolean;
}>;

/** Finds what a container was built from. */
export interface ArtifactSources {
  /** Several where nothing decides between them, the likeliest first; empty where nobody tells. Never rejects. */
  sourcesOf(container: Container): Promise<readonly ArtifactSource[]>;
}

/** A debugger in a container, and the fields that start it by way of a local port. */
export type Inside = Readonly<{ command: readonly string[]; fieldsAt(at: LocalAddress): Fields }>;

/** Finds the local sources of a container. */
export interface SourcePaths {
  mapFor(container: Container, ready: Ready): Promise<PathMap>;
}

/** A debug configuration, ready to be started. */
export type DebugConfiguration = Readonly<{ type: string; request: 'attach'; name: string }> & Fields;

/** How a session comes up. */
export type StartOptions = Readonly<{
  /** It stands below this session, if that runs. */
  owner?: string | undefined;
  /** Nobody has just asked for it: it opens no view. */
  isQuiet: boolean;
}>;

/** `isWanted`: somebody has ended it; else its debugger has lost the program. */
export type SessionEnd = Readonly<{ sessionId: string; isWanted: boolean }>;

/** The front end's debug sessions. */
export interface DebugSessions {
  /** Throws `UserError` with an Install action when no installed extension brings the type. */
  check(recipe: Recipe): void;
  /** Resolves with the session's id when the debugger is attached; throws `UserError`. */
  start(configuration: DebugConfiguration, signal: AbortSignal, options: StartOptions): Promise<string>;
  /** Ends the session without ending the debuggee. */
  detach(sessionId: string): Promise<void>;
  focus(sessionId: string): void;
  readonly onDidEnd: Event<SessionEnd>;
  /** `isGone`: the program does not go on, the debugger has lost sight of it. */
  readonly onDidPause: Event<{ sessionId: string; paused: boolean; isGone?: boolean }>;
}
