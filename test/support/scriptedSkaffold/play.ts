import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BuilderType, BuildType, ClusterType, DeployerType, StatusCode } from '../../../src/proto/gen/enums.ts';
import { SuggestionCode } from '../../../src/proto/gen/suggestions.ts';
import type { ActionableErr, Event as EventV1, State } from '../../../src/proto/gen/v1.ts';
import type { Event as EventV2 } from '../../../src/proto/gen/v2.ts';
import type { SkaffoldServer } from '../skaffoldServer.ts';
import { type Happening, readScenario, type Scenario } from './scenario.ts';

/** The events of a scenario, in the order in which Skaffold v2.24 sends them with the status check off. */
export class Play {
  readonly auto = { build: false, sync: false, deploy: false };
  private readonly scenario: Scenario;
  private readonly server: SkaffoldServer;
  private readonly note: (what: Happening) => void;
  private iterations = 0;
  private lastAt = { seconds: 0, nanos: 0 };
  private ending: Promise<void> | undefined;

  constructor(scenario: Scenario, server: SkaffoldServer, note: (what: Happening) => void) {
    this.scenario = scenario;
    this.server = server;
    this.note = note;
    this.meta();
  }

  /** Builds and deploys; whether it worked. */
  async iterate(): Promise<boolean> {
    const iteration = this.iterations++;
    const task_id = `Build-${iteration + 1}`;
    this.loop(iteration, 'In Progress', 'Update initiated');
    for (const { name } of this.artifacts) {
      this.build(name, task_id, 'In Progress', `Build started for artifact ${name}`);
      this.print(`Building [${name}]...\n`, task_id, name);
      await delay(this.scenario.buildMs ?? 0);
      const failure = this.failureOf(name);
      if (failure) return this.failed(iteration, name, task_id, failure);
      this.build(name, task_id, 'Complete', `Build completed for artifact ${name}`);
    }
    await this.deploy(iteration);
    return true;
  }

  /** Cleans up, says the last, and lets its readers have it. */
  end(): Promise<void> {
    return (this.ending ??= this.cleanUp());
  }

  state(): State {
    const { build, sync, deploy } = this.auto;
    return {
      buildState: { artifacts: {}, autoTrigger: build, statusCode: StatusCode.OK },
      deployState: { status: 'Complete', autoTrigger: deploy, statusCode: StatusCode.OK },
      fileSyncState: { status: 'Not Started', autoTrigger: sync },
      ...{
        forwardedPorts: {},
        statusCheckState: undefined,
        debuggingContainers: [],
        metadata: undefined,
        testState: undefined,
      },
    };
  }

  private get artifacts() {
    return this.scenario.artifacts ?? [];
  }

  private meta(): void {
    const entry = `Starting Skaffold: &{Version:${this.scenario.version ?? 'v2.24.0'}}`;
    const deploy = { deployers: [{ type: DeployerType.KUBECTL, count: 1 }], cluster: ClusterType.OTHER };
    const { artifacts } = this;
    const builders = [{ type: BuilderType.CUSTOM, count: artifacts.length }];
    const common = { type: BuildType.LOCAL, additional: {} };
    const build = { ...common, numberOfArtifacts: artifacts.length, builders };
    this.v1({ metaEvent: { entry, metadata: { build, deploy, test: undefined, additional: {} } } }, entry);
    const contexts = artifacts.map(one => ({ type: BuilderType.CUSTOM, dockerfile: '', ...one }));
    const rest = {
      deploy,
      test: undefined,
      runID: this.scenario.runId ?? `scripted-${process.pid}`,
      render: undefined,
      additional: {},
    };
    this.v2({ metaEvent: { entry, metadata: { build: { ...common, artifacts: contexts }, ...rest } } });
  }

  private loop(iteration: number, status: string, entry: string, err?: ActionableErr): void {
    this.v1({ devLoopEvent: { iteration, status, err } }, entry);
    this.task('DevLoop', iteration, status, err);
  }

  private task(task: string, iteration: number, status: string, actionableErr?: ActionableErr): void {
    const [id, at] = [`${task}-${iteration + 1}`, iteration + 1];
    this.v2({ taskEvent: { id, task, description: '', iteration: at, status: inV2(status), actionableErr } });
  }

  private build(artifact: string, task_id: string, status: string, entry: string, actionableErr?: ActionableErr): void {
    const common = { artifact, actionableErr, hostPlatform: 'linux/amd64', targetPlatforms: '' };
    const [err, errCode] = [actionableErr?.message ?? '', actionableErr?.errCode ?? StatusCode.OK];
    this.v1({ buildEvent: { ...common, status, err, errCode } }, entry);
    this.v2({ buildSubtaskEvent: { ...common, id: artifact, task_id, step: 'Build', status: inV2(status) } });
  }

  private failureOf(name: string): ActionableErr | undefined {
    const failing = this.scenario.faults?.failingBuild;
    if (failing?.artifact !== name) return undefined;
    const suggestions = failing.suggestions.map(action => ({
      suggestionCode: SuggestionCode.FIX_USER_BUILD_ERR,
      action,
    }));
    return { errCode: StatusCode.BUILD_UNKNOWN, message: failing.message, suggestions };
  }

  private failed(iteration: number, name: string, task_id: string, failure: ActionableErr): false {
    this.build(name, task_id, 'Failed', `Build failed for artifact ${name}`, failure);
    this.task('Build', iteration, 'Failed', failure);
    this.loop(iteration, 'Failed', `Update failed with error code ${failure.errCode}`, failure);
    return false;
  }

  private async deploy(iteration: number): Promise<void> {
    const deployed = (status: string, entry: string) => {
      this.v1({ deployEvent: { status, err: '', errCode: StatusCode.OK, actionableErr: undefined } }, entry);
      this.task('Deploy', iteration, status);
    };
    deployed('In Progress', 'Deploy started');
    await this.run(this.scenario.onDeploy, `Deploy-${iteration + 1}`);
    deployed('Complete', 'Deploy completed');
    this.loop(iteration, 'Succeeded', 'Update succeeded');
    this.debugging('Started', 'started');
    this.note({ kind: 'deployed', iteration });
  }

  /** With the words of v2 that tell it, and with the Terminated that Skaffold owes us. */
  private async cleanUp(): Promise<void> {
    const task_id = `DevLoop-${this.iterations}`;
    if (!process.argv.includes('--cleanup=false')) {
      this.print('Cleaning up...\n', task_id);
      await delay(this.scenario.cleanUpMs ?? 0);
      await this.run(this.scenario.onCleanUp, task_id);
      this.note({ kind: 'cleanedUp' });
    }
    this.debugging('Terminated', 'terminated');
    await delay(GRACE_MS);
  }

  private debugging(status: string, verb: string): void {
    for (const container of readScenario().containers ?? []) {
      const event = { ...nobody, ...container, status };
      const entry = `Debuggable container ${verb} pod/${event.podName}:${event.containerName} (${event.namespace})`;
      this.v1({ debuggingContainerEvent: event }, entry);
      this.v2({ debuggingContainerEvent: { ...event, id: '', task_id: '' } });
      if (status === 'Started') this.server.prints(event.podName, event.containerName, 'hello from the program\n');
    }
  }

  private async run(command: readonly string[] | undefined, task_id: string): Promise<void> {
    const [file, ...args] = command ?? [];
    if (file === undefined) return;
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => this.print(text.toString(), task_id));
    await once(child, 'close');
  }

  private print(message: string, task_id: string, subtask_id = '-1'): void {
    process.stdout.write(message);
    this.v2({ skaffoldLogEvent: { task_id, subtask_id, level: STANDARD, message } });
  }

  private v1(event: EventV1, entry = ''): void {
    this.server.v1({ timestamp: this.now(), event, entry });
  }

  private v2(event: Omit<EventV2, 'timestamp'>): void {
    this.server.v2({ timestamp: this.now(), ...event });
  }

  /** Each later than the one before, as with Skaffold's nanoseconds. */
  private now(): { seconds: number; nanos: number } {
    const at = Date.now();
    const [seconds, nanos] = [Math.floor(at / 1000), (at % 1000) * 1_000_000];
    const { lastAt } = this;
    const isLater = seconds > lastAt.seconds || (seconds === lastAt.seconds && nanos > lastAt.nanos);
    this.lastAt = isLater ? { seconds, nanos } : { ...lastAt, nanos: lastAt.nanos + 1 };
    return this.lastAt;
  }
}

/** LogLevel of what is printed as it is. */
const STANDARD = 7;

/** Between the last event and the end, as Skaffold waits for its servers. */
const GRACE_MS = 300;

const nobody = {
  ...{ podName: 'web-1', containerName: 'web', namespace: 'shop', artifact: 'web' },
  ...{ runtime: 'nodejs', workingDir: '/app', debugPorts: {} },
};

/** Statuses of v1 in the words of v2. */
const inV2 = (status: string): string => (status === 'Complete' ? 'Succeeded' : status.replace(' ', ''));
