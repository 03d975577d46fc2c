/** Command ids, as in `contributes.commands`; a test holds both lists together. */
export const commands = {
  attach: 'breakpod.attach',
  cancelAttach: 'breakpod.cancelAttach',
  openInspector: 'breakpod.openInspector',
  detach: 'breakpod.detach',
  attachAll: 'breakpod.attachAll',
  attachFirstHit: 'breakpod.attachFirstHit',
  detachAll: 'breakpod.detachAll',
  focusSession: 'breakpod.focusSession',
  explain: 'breakpod.explain',
  copyAddress: 'breakpod.copyAddress',
  writeLaunch: 'breakpod.writeLaunch',
  chooseSources: 'breakpod.chooseSources',
  importCloudCode: 'breakpod.importCloudCode',
  showEvents: 'breakpod.showEvents',
  openLog: 'breakpod.openLog',
  refresh: 'breakpod.refresh',
  chooseContext: 'breakpod.chooseContext',
  chooseNamespaces: 'breakpod.chooseNamespaces',
  watchAllNamespaces: 'breakpod.watchAllNamespaces',
  startDemo: 'breakpod.startDemo',
  stopDemo: 'breakpod.stopDemo',
  restartDemoContainer: 'breakpod.restartDemoContainer',
  replaceDemoPod: 'breakpod.replaceDemoPod',
  debugSkaffold: 'breakpod.debugSkaffold',
  joinSkaffold: 'breakpod.joinSkaffold',
  stopSkaffold: 'breakpod.stopSkaffold',
  applyNow: 'breakpod.applyNow',
  buildNow: 'breakpod.buildNow',
  syncNow: 'breakpod.syncNow',
  deployNow: 'breakpod.deployNow',
  autoOn: 'breakpod.autoOn',
  autoOff: 'breakpod.autoOff',
  dismissRun: 'breakpod.dismissRun',
  showContainerLog: 'breakpod.showContainerLog',
  startEventService: 'breakpod.startEventService',
  stopEventService: 'breakpod.stopEventService',
  copyEventServiceAddress: 'breakpod.copyEventServiceAddress',
} as const;

/** For the button of a message; not in the palette. */
export const dontAskCommand = '_breakpod.dontAskForDebugger';

export type CommandId = (typeof commands)[keyof typeof commands];

/** Views, as in `contributes.views`. */
export const views = { containers: 'breakpod.containers' } as const;

/** Settings, as in `contributes.configuration`; their defaults stand there only. */
export const settings = {
  kubeconfig: 'breakpod.kubeconfig',
  protectedContexts: 'breakpod.protectedContexts',
  holdRedeploys: 'breakpod.holdRedeploysWhilePaused',
  recipes: 'breakpod.recipes',
  follow: 'breakpod.follow',
  eventService: 'breakpod.eventService.enabled',
  eventServiceGrpcPort: 'breakpod.eventService.grpcPort',
  eventServiceHttpPort: 'breakpod.eventService.httpPort',
} as const;

/** Context keys that `when` and `enablement` clauses read. */
export const contextKeys = {
  /** Why the tree is empty: a `Situation`. */
  situation: 'breakpod.situation',
  /** The demo cluster runs, and goes before the user's own. */
  demo: 'breakpod.demo',
  /** At least one container is listed. */
  hasContainers: 'breakpod.hasContainers',
  /** At least one debugger is attached. */
  hasSessions: 'breakpod.hasSessions',
  /** At least one attach is under way. */
  isAttaching: 'breakpod.isAttaching',
  /** At least one Skaffold is known. */
  hasRuns: 'breakpod.hasRuns',
  /** Other programs can read the events. */
  eventService: 'breakpod.eventService',
} as const;

/** Why there are no rows; the welcome text goes by it. */
export const situations = [
  'connecting',
  'no-kubeconfig',
  'unreachable',
  'no-login',
  'no-rights',
  'nothing',
  'failed',
] as const;

export type Situation = (typeof situations)[number];

/** Words of a row's context value, joined by `;`; menus look for them by regular expression. */
export const contextWords = [
  'container',
  'attachable',
  'attaching',
  'attached',
  'reachable',
  /** A Node program without an inspector. */
  'inspectable',
  'demo',
  /** A container whose Skaffold has its application log. */
  'logged',
  /** Above containers, some of which can be attached to, or have a debugger. */
  'attachables',
  'attacheds',
  /** Replicas, of which the first that is hit can be meant. */
  'replicas',
  'run',
  /** A run that can be joined, stopped, told to build, or dismissed. */
  'joinable',
  'stoppable',
  'controllable',
  'dismissible',
] as const;

export type ContextWord = (typeof contextWords)[number];
