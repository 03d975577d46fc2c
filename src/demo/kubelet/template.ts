import type { RestartPolicy } from '../api/objects.ts';

/** Gives `host:port` for a port of the container. */
export type AddressOf = (port: number) => string;

/** How the kubelet finds out that a container has to be restarted. */
export type LivenessProbe = Readonly<
  { periodSeconds: number; timeoutSeconds: number; failureThreshold: number } & (
    | { exec: (at: AddressOf) => readonly string[] }
    | { http: { path: string; port: number } }
    | { tcp: { port: number } }
  )
>;

/**
 * A container as a workload describes it. Programs are told where to listen, so that the specification can say
 * `0.0.0.0:9229` while the process takes a free port of this machine that only the port-forward knows.
 */
export interface ContainerTemplate {
  readonly name: string;
  readonly image: string;
  /** Directory on this machine that stands for the image's; it is the working directory too. */
  readonly directory: string;
  command(at: AddressOf): readonly string[];
  environment?(at: AddressOf): Readonly<Record<string, string>>;
  /** Ports that the specification declares. */
  readonly ports: readonly { readonly name?: string; readonly containerPort: number }[];
  /** Ports that the program listens on, and the specification keeps to itself. */
  readonly undeclaredPorts?: readonly number[];
  /** The container is ready when this answers; without it, as soon as it runs. */
  readonly startup?: { readonly path: string; readonly port: number };
  /** The container is restarted when this fails. */
  readonly liveness?: LivenessProbe;
}

export interface PodTemplate {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly containers: readonly ContainerTemplate[];
  readonly restartPolicy?: RestartPolicy;
  /** Names of the leases that its program holds. */
  readonly leases?: readonly string[];
}

/** What the pod's specification says. */
export const declaredAddress: AddressOf = port => `0.0.0.0:${port}`;

export const portsOf = (template: ContainerTemplate): readonly number[] => [
  ...template.ports.map(port => port.containerPort),
  ...(template.undeclaredPorts ?? []),
];
