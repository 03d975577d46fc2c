import { openForwards } from '../../../src/cluster/forward/openForwards.ts';
import type { PortForward } from '../../../src/cluster/forward/portForward.ts';
import { rawText } from '../../../src/core/errors.ts';
import type { After } from '../../integration/demo/support.ts';
import { until } from '../cluster/run.ts';
import type { Product } from './product.ts';
import { InspectorClient } from '../../support/inspectorClient.ts';

/** A forward to the inspector of a row, by our own port-forward with the login of a product. */
export class InspectorForward {
  readonly forward: PortForward;
  /** What it has said of failed connections. */
  readonly problems: string[] = [];

  private constructor(forward: PortForward) {
    this.forward = forward;
    forward.onProblem(error => void this.problems.push(rawText(error)));
  }

  static async open(after: After, product: Product, pod: string): Promise<InspectorForward> {
    const { container } = await product.waitForRow(
      `a row of ${pod}`,
      row => row.container.pod === pod && row.isAttachable,
    );
    const forwards = openForwards({ accessOf: id => product.watching.accessOf(id) });
    after(() => forwards.dispose());
    const target = { pod: container, port: 9229, follow: container.follow };
    return new InspectorForward(await forwards.open(target, AbortSignal.timeout(60_000)));
  }

  /** A new connection of an inspector's client. Throws when it fails. */
  connect(): Promise<InspectorClient> {
    return InspectorClient.open('127.0.0.1', this.forward.localPort, AbortSignal.timeout(30_000));
  }

  /** A new connection as soon as there can be one: a client tries again, the forward stays as it is. */
  reconnect(): Promise<InspectorClient> {
    return until('a connection over the forward', () => this.connect(), { timeoutMs: 90_000 });
  }
}

/** Throws unless the inspector answers. */
export async function assertAnswers(client: InspectorClient): Promise<void> {
  await client.ask('Runtime.evaluate', { expression: '1' });
}
