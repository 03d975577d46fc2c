import type { Forward, Forwards, ForwardTarget, PodRef } from './contracts.ts';
import { followedContainer } from './identity.ts';
import type { Store } from './store.ts';

/** The same forwards, and the store knows which are open. `storeOf` is asked when one is opened. */
export const reportForwards = (forwards: Forwards, storeOf: () => Pick<Store, 'apply'>): Forwards => ({
  async open(target, signal) {
    return reported(await forwards.open(target, signal), target, storeOf());
  },
});

function reported(forward: Forward, { pod: first, port, follow }: ForwardTarget, store: Pick<Store, 'apply'>): Forward {
  const { localPort } = forward;
  const container = followedContainer(follow);
  const tell = ({ namespace, pod }: PodRef) =>
    store.apply({ kind: 'forwarded', forwarded: { localPort, remotePort: port, namespace, pod, container } });
  let isOver = false; // the port can already be another forward's
  const untell = () => {
    if (!isOver) store.apply({ kind: 'unforwarded', localPort });
  };
  tell(first);
  return {
    localPort,
    onProblem: forward.onProblem,
    dial: signal => forward.dial(signal),
    handOver: (connection, options) => forward.handOver(connection, options),
    retarget(pod) {
      forward.retarget(pod);
      if (pod) tell(pod);
      else untell();
    },
    dispose() {
      untell();
      isOver = true;
      forward.dispose();
    },
  };
}
