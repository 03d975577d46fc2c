import type { TestContext } from 'node:test';
import type { PodRef } from '../../../../src/core/contracts.ts';
import type { FollowId } from '../../../../src/core/identity.ts';
import { type ClusterForwards, openForwards } from '../../../../src/cluster/forward/openForwards.ts';
import type { PortForward } from '../../../../src/cluster/forward/portForward.ts';
import type { ForwardLimits, Transport } from '../../../../src/cluster/forward/session.ts';
import { SpdyForwardSession } from '../../../../src/cluster/forward/spdySession.ts';
import { ApiServer, TestAccess } from './apiServer.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { PodApp } from './podApp.ts';

export const FOLLOW = 'Deployment/web' as FollowId;
export const never = (): AbortSignal => new AbortController().signal;

export interface SetupOptions {
  readonly transports?: readonly Transport[];
  readonly limits?: Partial<ForwardLimits>;
  readonly tls?: boolean;
  /** Where the client connects, if not to the API server itself. */
  readonly via?: (api: ApiServer) => Promise<URL>;
  readonly tokens?: string[];
}

export interface Setup {
  readonly app: PodApp;
  readonly api: ApiServer;
  readonly pod: PodRef;
  readonly access: TestAccess;
  readonly forwards: ClusterForwards;
  readonly log: string[];
  /** Opens a forward; its problems are kept in `problems`. */
  open(port: number, pod?: PodRef): Promise<PortForward>;
  readonly problems: Error[];
}

let certificate: Certificate | undefined;

/** An API server with a pod `web`, and forwards to it; all of it ends with the test. */
export async function setup(t: TestContext, options: SetupOptions = {}): Promise<Setup> {
  certificate ??= makeCertificate();
  const { tls = true, transports, limits, via, tokens } = options;
  const app = await PodApp.start();
  const api = await ApiServer.start(tls ? { certificate } : {});
  const pod = api.addPod('web', app);
  const url = via ? await via(api) : api.url;
  const access = new TestAccess(url, { ca: api.certificate?.ca, ...(tokens ? { tokens } : {}) });
  const log: string[] = [];
  const forwards = openForwards({
    accessOf: () => access,
    log: text => void log.push(text),
    ...(limits ? { limits } : {}),
    ...(transports ? { transports } : {}),
  });
  const problems: Error[] = [];
  t.after(async () => {
    forwards.dispose();
    app.close();
    await api.close();
  });
  const open = async (port: number, to = pod) => {
    const forward = await forwards.open({ pod: to, port, follow: FOLLOW }, never());
    forward.onProblem(error => problems.push(error));
    return forward;
  };
  return { app, api, pod, access, forwards, log, open, problems };
}

/** Connections and SPDY streams that a forward's sessions still have. */
export const leftOf = (forward: PortForward): number =>
  forward.sessions
    .map(session => session.load + (session instanceof SpdyForwardSession ? session.streamCount : 0))
    .reduce((sum, left) => sum + left, 0);
