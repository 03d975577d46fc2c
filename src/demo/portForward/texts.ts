// What a kubelet with containerd 1.6 writes on error streams, seen on a real node.

interface At {
  readonly sandbox: string;
  readonly port: number;
}

/** The kubelet's words around the runtime's (k8s.io/cri-streaming `pkg/streaming/portforward`). */
const forwarding = ({ sandbox, port }: At, what: string) =>
  `error forwarding port ${port} to pod ${sandbox}, uid : ${what}`;

const namespaceOf = ({ sandbox }: At) => `/var/run/netns/cni-${sandbox.slice(0, 8)}`;

/** Something failed while bytes went to and fro. */
export const failedText = (at: At, what: string): string =>
  forwarding(at, `failed to execute portforward in network namespace "${namespaceOf(at)}": ${what}`);

/** Nothing listens on the port. */
export const refusedText = (at: At): string =>
  failedText(
    at,
    `failed to connect to localhost:${at.port} inside namespace "${at.sandbox}", IPv4: dial tcp4 ` +
      `127.0.0.1:${at.port}: connect: connection refused IPv6 dial tcp6: address localhost: no suitable address `,
  );

/** The program reset the connection. */
export const resetText = (at: At): string =>
  failedText(at, `read tcp4 127.0.0.1:40000->127.0.0.1:${at.port}: read: connection reset by peer`);

/** The pod is gone, the session that leads to it is not. */
export const namespaceClosedText = (at: At): string =>
  forwarding(at, `network namespace for sandbox "${at.sandbox}" is closed`);
