import * as vscode from 'vscode';
import type { Application } from '../core/application.ts';
import { attachAll } from '../core/attachAll.ts';
import { UserError } from '../core/errors.ts';
import { FirstHit } from '../core/firstHit.ts';
import { type Group, groupsOf } from '../core/groups.ts';
import { contextOf } from '../core/identity.ts';
import { runRowsOf } from '../core/runRows.ts';
import { type Row, rowsOf } from '../core/selectors.ts';
import type { Attention } from './attention.ts';
import type { Handler } from './handler.ts';
import { commands } from './ids.ts';
import { isWanted } from './isWanted.ts';
import { modulesOfWorkspace } from './launch/workspaceProjects.ts';
import { containersBelow, treeOf } from './nodes.ts';
import { labelText } from './plain.ts';

/** What the commands on several containers put to work. */
export interface GroupCommandParts {
  readonly app: Application;
  readonly attention: Pick<Attention, 'touch'>;
}

type GroupCommand = 'attachAll' | 'detachAll' | 'attachFirstHit';

const { t } = vscode.l10n;
const isAttachable = ({ isAttachable: is }: Row) => is;
const hasDebugger = ({ session, step, followed }: Row) =>
  session !== undefined || step !== undefined || followed !== undefined;

/** The commands on several containers: those below the node that they are called on, else of a group that they ask for. */
export function groupHandlersOf(parts: GroupCommandParts): Readonly<Record<(typeof commands)[GroupCommand], Handler>> {
  const { app, attention } = parts;
  const onRows =
    (title: string, accepts: (row: Row) => boolean, act: (rows: readonly Row[]) => Promise<void>): Handler =>
    async id => {
      attention.touch();
      const rows = id === undefined ? await pickGroup(app, title, accepts) : rowsBelow(app, id);
      const accepted = rows?.filter(accepts) ?? [];
      if (accepted.length > 0) await act(accepted);
      else if (rows) throw nothingToDo();
    };
  const onWanted = (title: string, act: (rows: readonly Row[]) => Promise<void>): Handler =>
    onRows(title, isAttachable, async rows => {
      if (await areWanted(rows)) await act(rows);
    });
  return {
    [commands.attachAll]: onWanted(t('Attach Debuggers to All Of'), rows => attachAll(app.attach, slotsOf(rows))),
    [commands.attachFirstHit]: onWanted(t('Attach Until the First Hit to All Of'), rows =>
      new FirstHit(app.store, app.attach, slotsOf(rows)).start(),
    ),
    [commands.detachAll]: onRows(t('Detach All Debuggers Of'), hasDebugger, async rows => {
      await Promise.all(slotsOf(rows).map(slot => app.attach.detach(slot)));
    }),
  };
}

const slotsOf = (rows: readonly Row[]) => rows.map(({ container }) => container.slot);

/** As they are now: the node may have been drawn before. */
function rowsBelow({ store }: Application, id: string): readonly Row[] {
  const rows = rowsOf(store.state);
  return containersBelow(treeOf(rows, runRowsOf(store.state, rows)), id).map(({ row }) => row);
}

/** In protected contexts, one question for all. */
async function areWanted(rows: readonly Row[]): Promise<boolean> {
  const contexts = new Map(
    rows.filter(({ container }) => !container.direct).map(row => [contextOf(row.container.cluster), row]),
  );
  for (const [context, { container }] of contexts) {
    const count = rows.filter(row => row.container.cluster === container.cluster).length;
    const what = count === 1 ? labelText(container.container) : t('{0} containers', String(count));
    if (!(await isWanted(context, what))) return false;
  }
  return true;
}

async function pickGroup(
  { store }: Application,
  title: string,
  accepts: (row: Row) => boolean,
): Promise<readonly Row[] | undefined> {
  const groups = groupsOf(store.state, await modulesOfWorkspace());
  const items = groups.flatMap(group => {
    const count = group.rows.filter(accepts).length;
    return count === 0 ? [] : [{ label: labelText(group.name), description: kindText(group, count), group }];
  });
  if (items.length === 0) throw nothingToDo();
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked?.group.rows;
}

function kindText({ kind, place = '' }: Group, count: number): string {
  const containers = count === 1 ? t('1 container') : t('{0} containers', String(count));
  switch (kind) {
    case 'session':
      return t('Skaffold session, {0}', containers);
    case 'module':
      return t('module of skaffold.yaml, {0}', containers);
    case 'namespace':
      return t('namespace, {0}', containers);
    case 'workload':
      return t('workload in {0}, {1}', labelText(place), containers);
    default:
      return kind satisfies never;
  }
}

const nothingToDo = () =>
  new UserError('nothing-to-do', 'There is no container for this command.', {
    remedy:
      'Containers appear in the view Debug Containers when they run; their rows say whether they have a debugger.',
  });
