import assert from 'node:assert/strict';
import test from 'node:test';
import { KnownPods } from '../../../../src/cluster/watch/knownPods.ts';
import type { ContainerState, ContainerStatus, Pod } from '../../../../src/cluster/pods/pod.ts';
import { EventLog } from '../../../../src/core/eventLog.ts';
import type { DebuggingContainerBody } from '../../../../src/core/logRecord.ts';
import type { Detection } from '../../../../src/core/model.ts';
import { Store } from '../../../../src/core/store.ts';

/**
 * A model of a kubelet's pods and of a watch that loses frames, lists again, is looked away from and looked at again. It
 * keeps a record of its own of the runs that a reader can know of; the log must say the same, whatever the order.
 */
const detection: Detection = { verdict: 'live', ports: {}, evidence: 'flags', found: 'x', listed: true };
const source = 'pods';

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** One container of the model, with the status that a kubelet reports. */
class Container {
  readonly name: string;
  state: ContainerState = { waiting: { reason: 'ContainerCreating' } };
  lastState: ContainerState = {};
  id: string | undefined;
  restarts = 0;

  constructor(name: string) {
    this.name = name;
  }

  get status(): ContainerStatus {
    return {
      name: this.name,
      restartCount: this.restarts,
      state: this.state,
      lastState: this.lastState,
      ...(this.id ? { containerID: this.id } : {}),
    };
  }

  /** What is dead is cleaned away, and the restart count, which is derived from it, falls. */
  forgetLast(): void {
    this.lastState = {};
    this.restarts = Math.max(0, this.restarts - 1);
  }

  /** The next thing that happens to it: an end, a pause, a start; from 5 on without a word of what lies between. */
  step(newId: () => string, time: string, choice: number): void {
    const { running, terminated } = this.state;
    const end = (): ContainerState => ({
      terminated: {
        exitCode: choice % 2,
        containerID: this.id!,
        startedAt: running?.startedAt ?? time,
        finishedAt: time,
      },
    });
    if (running && choice < 5) this.state = end();
    else if (running) this.start(newId(), time, end());
    else if (terminated && choice < 5) {
      this.lastState = this.state;
      this.state = { waiting: { reason: 'CrashLoopBackOff' } };
    } else this.start(newId(), time, terminated ? this.state : this.lastState);
  }

  private start(id: string, startedAt: string, last: ContainerState): void {
    if (this.id) this.restarts++;
    this.id = id;
    this.lastState = last;
    this.state = { running: { startedAt } };
  }
}

interface ModelPod {
  readonly name: string;
  readonly uid: string;
  readonly containers: readonly Container[];
  isDeleting: boolean;
}

const podOf = ({ name, uid, containers, isDeleting }: ModelPod): Pod => ({
  metadata: { name, namespace: 'shop', uid, ...(isDeleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
  spec: { restartPolicy: 'Always', containers: containers.map(c => ({ name: c.name })) },
  status: { phase: 'Running', containerStatuses: structuredClone(containers.map(c => c.status)) },
});

/** What a reader can know: which runs there were and how each of them ended, by pod and container. */
class Record {
  /** Starts (+) and ends (-) by name of pod and container. */
  readonly said = new Map<string, string[]>();
  private readonly slots = new Map<string, { uid: string; place: string; over: Set<string>; on?: string }>();

  /** A look at a pod; what was over at the first look of all is no news. */
  look({ metadata, status }: Pod, isFirst: boolean): void {
    const { uid, name: pod, deletionTimestamp } = metadata!;
    for (const { name, state, lastState, containerID } of status!.containerStatuses!) {
      const key = `${uid}/${name}`;
      const known = this.slots.get(key);
      const isOver = state?.terminated && deletionTimestamp;
      if (isOver && (!known || isFirst)) {
        // Met when it was over: not told, but for the end of a run whose start was.
        if (known?.on) this.say(known.place, '-');
        this.slots.delete(key);
        continue;
      }
      const slot = known ?? { uid: uid!, place: `${pod}:${name}`, over: new Set<string>() };
      const over = [lastState?.terminated?.containerID, state?.terminated?.containerID].filter(id => id !== undefined);
      if (slot.on && slot.on !== containerID) this.end(slot, slot.on, false);
      for (const id of over) this.end(slot, id, !known && isFirst);
      if (state?.running && slot.on !== containerID) {
        this.say(slot.place, '+');
        slot.on = containerID!;
      }
      this.slots.set(key, slot);
      if (isOver) this.slots.delete(key);
    }
  }

  /** The pods that are still there. */
  keepOnly(uids: ReadonlySet<string>): void {
    for (const [key, { uid, place, on }] of this.slots) {
      if (uids.has(uid)) continue;
      if (on) this.say(place, '-');
      this.slots.delete(key);
    }
  }

  gone(uid: string): void {
    this.keepOnly(new Set([...this.slots.values()].map(slot => slot.uid).filter(other => other !== uid)));
  }

  private end(slot: { place: string; over: Set<string>; on?: string }, id: string, isOld: boolean): void {
    if (slot.over.has(id)) return;
    slot.over.add(id);
    if (slot.on !== id && !isOld) this.say(slot.place, '+');
    if (slot.on === id || !isOld) this.say(slot.place, '-');
    if (slot.on === id) delete slot.on;
  }

  private say(place: string, what: string): void {
    this.said.set(place, [...(this.said.get(place) ?? []), what]);
  }
}

/** Pods and their changes, as frames of a watch. */
class Cluster {
  readonly pods = new Map<string, ModelPod>();
  private readonly random: (below: number) => number;
  private count = 0;

  constructor(random: (below: number) => number) {
    this.random = random;
  }

  /** Something happens; what a watch would say of it. */
  step(): { readonly deleted: boolean; readonly pod: Pod } | undefined {
    const name = `db-${this.random(4)}`;
    const pod = this.pods.get(name);
    if (!pod)
      return this.put({
        name,
        uid: this.next('u'),
        containers: [new Container('a'), new Container('b')],
        isDeleting: false,
      });
    const chance = this.random(40);
    if (chance === 0) return this.put({ ...pod, isDeleting: true });
    if (chance === 1) return this.remove(pod);
    if (chance === 2) pod.containers[0]!.forgetLast();
    const container = pod.containers[this.random(2)]!;
    if (pod.isDeleting && !container.state.running)
      return pod.containers.some(c => c.state.running) ? undefined : this.remove(pod);
    container.step(() => this.next('c'), this.next('t'), pod.isDeleting ? 0 : this.random(8));
    return this.put(pod);
  }

  private put(pod: ModelPod) {
    this.pods.set(pod.name, pod);
    return { deleted: false, pod: podOf(pod) };
  }

  private remove(pod: ModelPod) {
    this.pods.delete(pod.name);
    return { deleted: true, pod: podOf(pod) };
  }

  private next(kind: string): string {
    return `${kind}${++this.count}`;
  }
}

/** The reader under test and the record, fed with the same looks. */
class Reader {
  readonly record = new Record();
  readonly log = new EventLog(() => new Date(0));
  private readonly store = new Store(this.log);
  private known = this.newKnown();

  frame({ deleted, pod }: { readonly deleted: boolean; readonly pod: Pod }): void {
    this.record.look(pod, false);
    if (deleted) this.record.gone(pod.metadata!.uid!);
    for (const event of deleted ? this.known.delete(pod) : this.known.see(pod)) this.store.apply(event);
  }

  /** A list after a gap. */
  list(pods: readonly Pod[]): void {
    this.recordList(pods, false);
    const events = [...pods.flatMap(pod => this.known.see(pod)), ...this.known.keepOnly(keysOf(pods))];
    for (const event of events) this.store.apply(event);
  }

  lookAway(): void {
    this.store.apply({ kind: 'source-removed', source });
  }

  /** The first list of a new look. */
  lookAgain(pods: readonly Pod[]): void {
    this.recordList(pods, true);
    this.known = this.newKnown();
    for (const pod of pods) this.known.see(pod);
    this.store.apply({ kind: 'snapshot', source, containers: this.known.containers() });
  }

  /** Starts (+) and ends (-) in the log, by name of pod and container. */
  get said(): Map<string, string[]> {
    const said = new Map<string, string[]>();
    for (const { body } of this.log.records) {
      const { podName, containerName, status } = body as DebuggingContainerBody;
      const place = `${podName}:${containerName}`;
      said.set(place, [...(said.get(place) ?? []), status === 'Started' ? '+' : '-']);
    }
    return said;
  }

  private recordList(pods: readonly Pod[], first: boolean): void {
    const uids = new Set(pods.map(({ metadata }) => metadata!.uid!));
    this.record.keepOnly(uids);
    for (const pod of pods) this.record.look(pod, first);
  }

  private newKnown(): KnownPods {
    return new KnownPods({ cluster: 'c', source, detect: () => detection });
  }
}

const keysOf = (pods: readonly Pod[]) =>
  new Set(pods.map(({ metadata }) => `${metadata!.namespace}/${metadata!.name}`));

/** Steps of a cluster, read by a watch that works, or falls behind, or whose reader looks elsewhere for a while. */
function play(seed: number): Reader {
  const random = randomOf(seed);
  const cluster = new Cluster(random);
  const reader = new Reader();
  const now = () => [...cluster.pods.values()].map(podOf);
  for (let i = 0; i < 20; i++) cluster.step();
  reader.lookAgain(now());
  for (let round = 0; round < 60; round++) {
    const mode = random(4);
    if (mode === 3) reader.lookAway();
    const missed = Array.from({ length: random(12) }, () => cluster.step()).filter(frame => frame !== undefined);
    if (mode <= 1) for (const frame of missed) reader.frame(frame);
    else if (mode === 2) reader.list(now());
    else reader.lookAgain(now());
  }
  cluster.pods.clear();
  reader.list([]);
  return reader;
}

for (let seed = 1; seed <= 40; seed++)
  test(`each run is told as started and as terminated once, whatever the order (seed ${seed})`, () => {
    const { record, said } = play(seed);
    assert.deepEqual(said, record.said);
    for (const [place, events] of said) assert.match(events.join(''), /^(?:\+-)*$/, `${place} is not told in pairs`);
  });
