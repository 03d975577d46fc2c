import * as vscode from 'vscode';
import type { Application } from '../core/application.ts';
import { Emitter } from '../lib/emitter.ts';
import type { EventService } from '../service/eventService.ts';
import { ContextKeys } from './contextKeys.ts';
import { copyText } from './copyText.ts';
import { commands, contextKeys } from './ids.ts';
import { eventServiceSettings } from './settings.ts';

/** Where other programs read the events; both on this machine alone. */
export type Served = Readonly<{ grpc: string; http: string }>;

/** The event service of this window: off until the setting or a command starts it. */
export class ServedEvents {
  private readonly changed = new Emitter<void>();
  /** It was started or stopped. */
  readonly onDidChange = this.changed.event;

  private readonly keys = new ContextKeys();
  private service: EventService | undefined;
  /** One start or stop at a time, in the order in which they were asked for. */
  private last: Promise<void> = Promise.resolve();
  private readonly app: Pick<Application, 'log' | 'store'>;
  private readonly version: string;

  constructor(app: Pick<Application, 'log' | 'store'>, version: string) {
    this.app = app;
    this.version = version;
  }

  /** Where it listens, while it does. */
  get served(): Served | undefined {
    const { service } = this;
    return service && { grpc: `127.0.0.1:${service.grpcPort}`, http: `http://127.0.0.1:${service.httpPort}` };
  }

  /** Starts it, if it does not run. Throws `UserError` when a port is taken. */
  start(): Promise<void> {
    return this.after(() => this.startNow());
  }

  /** Ends it, if it runs: readers get what is there. Takes a second at most. */
  stop(): Promise<void> {
    return this.after(() => this.stopNow());
  }

  /** Does what the setting says. Throws `UserError` for a setting that is wrong, and as `start` does. */
  async follow(): Promise<void> {
    await (eventServiceSettings().isEnabled ? this.start() : this.stop());
  }

  /** Listens where the settings say, if it listens at all. */
  restart(): Promise<void> {
    return this.after(async () => {
      if (!this.service) return;
      await this.stopNow();
      await this.startNow();
    });
  }

  private async startNow(): Promise<void> {
    if (this.service) return;
    const { log, store } = this.app;
    const { grpcPort, httpPort } = eventServiceSettings();
    const { startEventService } = await import('../service/eventService.ts');
    const { skaffolds } = await import('../skaffold/later.ts');
    this.service = await startEventService({ log, store, version: this.version, skaffolds, grpcPort, httpPort });
    const { grpc, http } = this.served!;
    this.say(`The event service listens at ${grpc} (gRPC) and ${http} (HTTP)`);
  }

  private async stopNow(): Promise<void> {
    const { service } = this;
    if (!service) return;
    await service.close();
    this.service = undefined;
    this.say('The event service was stopped');
  }

  private after(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined); // told to the one who asked
    return done;
  }

  private say(text: string): void {
    this.app.store.apply({ kind: 'notice', source: 'event service', level: 'info', text });
    this.keys.set(contextKeys.eventService, this.service !== undefined);
    this.changed.fire();
  }
}

/** Starts the service by hand, and says where it is. */
export async function startServing(events: ServedEvents): Promise<void> {
  await events.start();
  const { served } = events;
  if (!served) return;
  const { t } = vscode.l10n;
  const copy = t('Copy Address…');
  const text = t(
    'Other programs on this machine can read the events: gRPC at {0}, HTTP at {1}.',
    served.grpc,
    served.http,
  );
  const picked = await vscode.window.showInformationMessage(text, copy);
  if (picked === copy) await vscode.commands.executeCommand(commands.copyEventServiceAddress);
}

/** Asks which address, and copies it. */
export async function copyServedAddress(events: ServedEvents): Promise<void> {
  const { t } = vscode.l10n;
  const { served } = events;
  if (!served) {
    const start = t('Start');
    const picked = await vscode.window.showInformationMessage(t('The event service does not run.'), start);
    if (picked === start) await startServing(events);
    return;
  }
  const items = [
    { label: served.grpc, description: t('gRPC, as Skaffold’s --rpc-port') },
    { label: served.http, description: t('HTTP, as Skaffold’s --rpc-http-port') },
    { label: `curl -sN ${served.http}/v1/events`, description: t('a command that prints the events') },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: t('Copy Address of the Event Service') });
  if (picked) await copyText(picked.label);
}
